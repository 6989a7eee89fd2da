import { nearestKey } from "../config/known-keys.ts";
import { LonghandError } from "../errors.ts";
import {
  describeRule,
  describeValue,
  fitsRule,
  nameType,
  quote,
  type ValueRule,
} from "../text/value-rule.ts";
import type { Memory } from "./memory.ts";

/** By the words that complete "it must be …". `anything` is for values that are checked where they are used. */
const kinds = {
  anything: () => true,
  "a string": (value) => typeof value === "string",
  "a non-empty string": isText,
  "a folder, or false for none": (value) => value === false || isText(value),
  "a path or a configuration": (value) => isText(value) || nameType(value) === "an object",
  "a number": (value) => typeof value === "number" && !Number.isNaN(value),
  "a boolean": (value) => typeof value === "boolean",
  "a list": Array.isArray,
  "a list of strings": isTexts,
  '"all" or a list of ids': (value) => value === "all" || isTexts(value),
  '"on", "off", "auto" or a boolean': (value) =>
    typeof value === "boolean" || ["on", "off", "auto"].includes(value as string),
  "an object": (value) => nameType(value) === "an object",
  "a function": (value) => typeof value === "function",
  "an AbortSignal": (value) => value instanceof EventTarget && "aborted" in value,
} satisfies Readonly<Record<string, (value: unknown) => boolean>>;

export type Kind = keyof typeof kinds | ValueRule;

/** An option without which a call makes no sense. */
interface Needed {
  readonly kind: Kind;
  /** What it is, to follow its name. */
  readonly needed: string;
}

/** The options of a call. The compiler refuses one that is missing here, and one that is needed but not marked. */
export type Shape<Options> = {
  readonly [Name in NamesOf<Options>]: IsOptional<Options, Name> extends true ? Kind : Needed;
};
type NamesOf<Union> = Union extends unknown ? keyof Union : never;
type IsOptional<Union, Name extends PropertyKey> = true extends IsOptionalIn<Union, Name> ? true : false;
type IsOptionalIn<Union, Name extends PropertyKey> = Union extends unknown
  ? Name extends keyof Union
    ? Partial<Pick<Union, Name>> extends Pick<Union, Name>
      ? true
      : false
    : true
  : never;
export type AnyShape = Readonly<Record<string, Kind | Needed>>;

export const atLeastOne: Kind = { kind: "number", min: 1, max: Number.POSITIVE_INFINITY, whole: true };

export function oneOf(...choices: readonly string[]): Kind {
  return { kind: "choice", choices };
}

/**
 * Rejects a misspelled option, which would otherwise be ignored without a word, and a value that it cannot have. Types
 * only protect TypeScript.
 */
export function checkOptions(call: string, shape: AnyShape, given: object | undefined): void {
  const known = Object.keys(shape);
  const hint = `Its options: ${known.join(", ")}.${call === "openMemory" ? " Settings belong in config." : ""}`;
  const refuse = (why: string) => new LonghandError("not-supported", `${call} ${why}`, { hint });
  if (given !== undefined && nameType(given) !== "an object") {
    throw refuse(`takes its options as an object, not as ${describe(given)}.`);
  }
  const values = given as Readonly<Record<string, unknown>> | undefined;
  for (const [name, value] of Object.entries(values ?? {})) {
    if (value === undefined) continue;
    const rule = Object.hasOwn(shape, name) ? shape[name]! : null;
    if (rule === null) {
      const nearest = nearestKey(name, known);
      const suggestion = nearest === null ? "." : `; did you mean ${nearest}?`;
      throw refuse(`has no option ${quote(name)}${suggestion}`);
    }
    const problem = problemWith(value, kindOf(rule));
    if (problem !== null) throw refuse(`cannot use its option ${name}: it must be ${problem}.`);
  }
  const missing = known.find((name) => kindOf(shape[name]!) !== shape[name] && values?.[name] === undefined);
  if (missing !== undefined)
    throw refuse(`needs its option ${missing}: ${(shape[missing] as Needed).needed}.`);
}

/** Rejects an argument that is not among the options, such as the first one of `findNote`. */
export function checkArgument(
  call: string,
  { name, kind }: { name: string; kind: Kind },
  given: unknown,
): void {
  const problem = problemWith(given, kind);
  if (problem === null) return;
  throw new LonghandError(
    "not-supported",
    `${call} cannot use its argument ${name}: it must be ${problem}.`,
    { hint: "docs/library-reference.md shows what each call takes." },
  );
}

/** Rejects what is not an opened memory, most often a promise of one. */
export function checkMemory(call: string, memory: Memory): void {
  if ((memory as Partial<Memory> | null | undefined)?.limits !== undefined) return;
  throw new LonghandError("not-supported", `${call} needs an opened memory, not ${describe(memory)}.`, {
    hint: "Open one first: const memory = await openMemory({ workspace }).",
  });
}

function problemWith(value: unknown, kind: Kind): string | null {
  if (typeof kind === "string") return kinds[kind](value) ? null : `${kind}, not ${describe(value)}`;
  if (fitsRule(value, kind)) return null;
  return `${describeRule(kind)}, not ${describeValue(value, kind, describe)}`;
}

function kindOf(rule: Kind | Needed): Kind {
  return typeof rule === "object" && "needed" in rule ? rule.kind : rule;
}

/** The type alone: a value may be a key that was given in the wrong place. */
function describe(value: unknown): string {
  if (value === undefined || Number.isNaN(value)) return String(value);
  if (value === "") return "an empty string";
  if (Array.isArray(value) && !isTexts(value)) return "a list of other things";
  return value instanceof Promise ? "a promise" : nameType(value);
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "";
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}
