/** What a value may be. The configuration, tools, the HTTP API and the command line all check values by a rule. */
export type ValueRule =
  | { readonly kind: "flag" }
  | { readonly kind: "choice"; readonly choices: readonly string[] }
  | NumberRule;

interface NumberRule {
  readonly kind: "number";
  readonly min: number;
  readonly max: number;
  /** Fractions are refused. */
  readonly whole: boolean;
}

export function fitsRule(value: unknown, rule: ValueRule): boolean {
  if (rule.kind === "flag") return typeof value === "boolean";
  if (rule.kind === "choice") return typeof value === "string" && rule.choices.includes(value);
  const { min, max, whole } = rule;
  return (
    typeof value === "number" &&
    Number.isFinite(value) &&
    value >= min &&
    value <= max &&
    (!whole || Number.isSafeInteger(value))
  );
}

/** What fits, to complete "must be …": `a whole number from 1 to 200`. */
export function describeRule(rule: ValueRule, show: (choice: string) => string = quote): string {
  if (rule.kind === "flag") return "true or false";
  if (rule.kind === "choice") return `one of ${rule.choices.map(show).join(", ")}`;
  const noun = rule.whole ? "a whole number" : "a number";
  if (rule.max !== Number.POSITIVE_INFINITY) return `${noun} from ${rule.min} to ${rule.max}`;
  return rule.min === Number.NEGATIVE_INFINITY ? noun : `${noun}, ${rule.min} or more`;
}

/** What is wrong with a value that does not fit, to follow its name. */
export function describeMismatch(value: unknown, rule: ValueRule): string {
  return `must be ${describeRule(rule)}, but is ${describeValue(value, rule)}`;
}

/** A value that was refused; one of another type is not repeated, because it may be a key in the wrong place. */
export function describeValue(
  value: unknown,
  { kind }: ValueRule,
  nameOf: (value: unknown) => string = nameType,
): string {
  if (typeof value === "string" && kind === "choice") return quote(value);
  if (typeof value !== "number") return nameOf(value);
  const isTooLarge = Number.isInteger(value) && !Number.isSafeInteger(value);
  return isTooLarge ? `${value}, which is too large` : String(value);
}

/** `a string`, `a list`, `null`. */
export function nameType(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** A text as a person may see it in a message: in quotes, short, nothing in it that moves a cursor. */
export function quote(text: string): string {
  const short = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  return JSON.stringify(short).replaceAll(
    /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** A decimal number as people write it; undefined for anything else, such as `0x10` or `1e1`. */
export function parseDecimal(text: string): number | undefined {
  return /^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(text) ? Number(text) : undefined;
}
