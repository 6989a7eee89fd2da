import { LonghandError } from "../errors.ts";
import { isFields } from "../text/fields.ts";
import { describeMismatch, fitsRule, nameType, quote } from "../text/value-rule.ts";
import { formatProblem } from "./formats.ts";
import { joinKey, suggestKey } from "./known-keys.ts";
import type {
  ChoiceOption,
  GroupOption,
  ItemsOption,
  ListOption,
  Option,
  RecordOption,
  SecretOption,
  TextOption,
  Value,
} from "./option.ts";
import type { agentOptions } from "./options.ts";
import { findAddressFault } from "./postgres-address.ts";
import { Secret, showAddress } from "./secret.ts";
import { type Environment, expandVariables } from "./variables.ts";

interface Problem {
  /** The key as written in the file: `agents.list[0].workspace`. */
  readonly key: string;
  /** The rest of a sentence that begins with the key. */
  readonly message: string;
  readonly hint?: string;
  /** There is no such setting. */
  readonly isUnknownKey?: true;
}

interface CheckedConfig {
  /**
   * In the shape of the file, with only the valid values that were set; variables expanded, keys wrapped as secrets.
   */
  readonly values: Readonly<Record<string, unknown>>;
  readonly problems: readonly Problem[];
  /** Which environment variables a key's value used. */
  readonly variables: ReadonlyMap<string, readonly string[]>;
}

interface CheckRequest {
  readonly options: GroupOption;
  readonly value: unknown;
  /** Where `${NAME}` is looked up; null disables expansion. */
  readonly env: Environment | null;
}

/**
 * Validates a configuration against the options and reports all problems at once. It never throws. Messages show what
 * is written in the file, never the value of a variable, and nothing at all of a secret.
 */
export function checkConfig({ options, value, env }: CheckRequest): CheckedConfig {
  const problems: Problem[] = [];
  const variables = new Map<string, readonly string[]>();

  function reject(key: string, message: string, hint?: string): undefined {
    problems.push({
      key: key === "" ? "The top level" : key,
      message,
      ...(hint === undefined ? {} : { hint }),
    });
    return undefined;
  }

  function checkOption(option: Option, raw: unknown, key: string): unknown {
    switch (option.kind) {
      case "group":
        return checkGroup(option, raw, key);
      case "items":
        return checkItems(option, raw, key);
      case "list":
        return checkList(option, raw, key);
      case "record":
        return checkRecord(option, raw, key);
      case "flag":
      case "number":
        return fitsRule(raw, option) ? raw : reject(key, describeMismatch(raw, option));
      case "choice":
        return checkChoice(option, raw, key);
      case "text":
        return checkText(option, raw, key);
      case "secret":
        return checkSecret(option, raw, key);
    }
  }

  function checkGroup(group: GroupOption, raw: unknown, key: string): Record<string, unknown> | undefined {
    if (!isFields(raw)) return reject(key, `must be an object, but is ${nameType(raw)}`);
    const values: Record<string, unknown> = {};
    for (const name of Object.keys(raw)) {
      // Editors find the JSON Schema of a file by this key.
      if (key === "" && name === "$schema") continue;
      const option = Object.hasOwn(group.options, name) ? group.options[name] : undefined;
      if (option === undefined) {
        const suggestion = suggestKey(name, { root: options, group, parent: key });
        const message = `is not a known key; ${suggestion}`;
        problems.push({ key: joinKey(key, name), message, isUnknownKey: true });
        continue;
      }
      const checked =
        raw[name] === undefined ? undefined : checkOption(option, raw[name], joinKey(key, name));
      if (checked !== undefined) values[name] = checked;
    }
    for (const [name, option] of Object.entries(group.options)) {
      const isMissing = option.kind === "text" && option.required && raw[name] === undefined;
      if (isMissing) reject(joinKey(key, name), "is missing");
    }
    return values;
  }

  function checkItems(option: ItemsOption, raw: unknown, key: string): unknown[] | undefined {
    if (!Array.isArray(raw)) return reject(key, `must be a list, but is ${nameType(raw)}`);
    const seen = new Map<string, number>();
    return raw.map((entry, index) => {
      const values = checkGroup(option.item, entry, `${key}[${index}]`);
      const id = values?.["id"];
      if (typeof id !== "string") return values;
      // File systems may ignore case, and two agents must not share an index.
      const earlier = seen.get(id.toLowerCase());
      if (earlier === undefined) seen.set(id.toLowerCase(), index);
      else
        reject(
          `${key}[${index}].id`,
          `is ${quote(id)}, which ${key}[${earlier}] already has (case does not count)`,
        );
      return values;
    });
  }

  function checkList(option: ListOption, raw: unknown, key: string): unknown[] | undefined {
    if (!Array.isArray(raw)) return reject(key, `must be a list, but is ${nameType(raw)}`);
    if (raw.length < option.minItems) return reject(key, "must not be an empty list");
    const checked = raw.map((entry, index) => checkOption(option.item, entry, `${key}[${index}]`));
    return [...new Set(checked.filter((entry) => entry !== undefined))];
  }

  function checkRecord(option: RecordOption, raw: unknown, key: string): Record<string, unknown> | undefined {
    if (!isFields(raw)) return reject(key, `must be an object, but is ${nameType(raw)}`);
    const values: Record<string, unknown> = {};
    for (const [name, entry] of Object.entries(raw)) {
      const entryKey = joinKey(key, name);
      // `__proto__` would be a valid header name, but assigning it on an object changes the prototype.
      if (name === "__proto__" || !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name))
        reject(entryKey, "is not a header name");
      else if (entry !== undefined) {
        const checked = checkSecret(option.item, entry, entryKey);
        if (checked !== undefined) values[name] = checked;
      }
    }
    return values;
  }

  function checkChoice(option: ChoiceOption, raw: unknown, key: string): string | undefined {
    const expanded = typeof raw === "string" ? expand(raw, key) : "";
    if (expanded === undefined || fitsRule(expanded, option)) return expanded;
    return reject(key, describeMismatch(raw, option));
  }

  function checkText({ format }: TextOption, raw: unknown, key: string): string | undefined {
    if (typeof raw !== "string") return reject(key, `must be a string, but is ${nameType(raw)}`);
    const expanded = expand(raw, key);
    if (expanded === undefined) return undefined;
    const problem = formatProblem(format, expanded);
    if (problem === null) return expanded;
    // An address may contain a key, even one that we would refuse.
    return reject(key, format === "url" || raw === "" ? problem : `${problem}, but is ${quote(raw)}`);
  }

  function checkSecret({ shownAs, mayBeEmpty }: SecretOption, raw: unknown, key: string): Secret | undefined {
    if (raw instanceof Secret) return raw;
    if (typeof raw !== "string") return reject(key, `must be a string, but is ${nameType(raw)}`);
    const expanded = expand(raw, key);
    if (expanded === undefined) return undefined;
    if (expanded.trim() === "" && !(mayBeEmpty && raw === "")) return reject(key, "must not be empty");
    // Such text would end a header early.
    if (/[\0\r\n]/.test(expanded)) return reject(key, "must not contain line breaks or NUL");
    const text = expanded.trim();
    return shownAs === "address" ? new Secret(text, showAddress(text)) : new Secret(text);
  }

  function expand(raw: string, key: string): string | undefined {
    if (env === null) return raw;
    const { text, used, missing } = expandVariables(raw, env);
    const [variable] = missing;
    if (variable !== undefined) {
      const hint = `Set ${variable} in the environment; for the literal text write $\${${variable}}.`;
      return reject(key, `uses \${${variable}}, but the environment variable ${variable} is not set`, hint);
    }
    if (used.length > 0) variables.set(key, used);
    return text;
  }

  return { values: checkGroup(options, value, "") ?? {}, problems, variables };
}

const MAX_SHOWN = 20;

/** All problems of one source in one error; `place` is the file, or says who passed the values. */
export function configError(place: string, problems: readonly Problem[]): LonghandError {
  const shown = problems.slice(0, MAX_SHOWN).map(({ key, message }) => `${key} ${message}`);
  const left = problems.length - shown.length;
  if (left > 0) shown.push(`and ${left} more`);
  const message =
    shown.length === 1
      ? `Cannot use ${place}: ${withStop(shown[0]!)}`
      : [
          `Cannot use ${place}, ${problems.length} problems:`,
          ...shown.map((line) => `- ${withStop(line)}`),
        ].join("\n");
  const hint =
    problems.find((problem) => problem.hint !== undefined)?.hint ??
    "Correct it; docs/configuration.md lists every key, `longhand config schema` prints them for editors.";
  return new LonghandError("config-invalid", message, { hint });
}

function withStop(sentence: string): string {
  return /[.?]$/.test(sentence) ? sentence : `${sentence}.`;
}

type AgentSettings = Value<typeof agentOptions>;

/** Contradictions between values that are each valid. Keys are those of one agent. */
export function findConflicts({
  memorySearch,
  notes,
}: Pick<AgentSettings, "memorySearch" | "notes">): Problem[] {
  const { sources, experimental, chunking, query, store } = memorySearch;
  const problems: Problem[] = [];
  if (notes.include === "memory" && !/^(?:memory\/|MEMORY\.md$)/.test(notes.daily)) {
    problems.push({
      key: "notes.daily",
      message: `must be below memory/ while notes.include is "memory", but is ${quote(notes.daily)}`,
      hint: 'Set notes.include to "all" as well, which `longhand adopt` does.',
    });
  }
  if (sources.includes("sessions") && !experimental.sessionMemory) {
    problems.push({
      key: "memorySearch.sources",
      message: 'has "sessions", which needs memorySearch.experimental.sessionMemory to be true',
      hint: 'Set experimental: { sessionMemory: true } beside it, or remove "sessions".',
    });
  }
  if (chunking.overlap >= chunking.tokens) {
    problems.push({
      key: "memorySearch.chunking.overlap",
      message: `must be less than chunking.tokens (${chunking.tokens}), but is ${chunking.overlap}`,
    });
  }
  if (query.hybrid.vectorWeight + query.hybrid.textWeight === 0) {
    problems.push({
      key: "memorySearch.query.hybrid.vectorWeight",
      message: "and textWeight must not both be 0",
      hint: "Give at least one of them a weight; they are scaled to sum 1.",
    });
  }
  if (store.driver === "postgres") {
    const key = "memorySearch.store.url";
    const fault = store.url && findAddressFault(store.url.reveal());
    if (store.url === undefined)
      problems.push({
        key,
        message: 'must be set when store.driver is "postgres"',
        hint: "Set the address first: longhand config set memorySearch.store.url postgres://…",
      });
    else if (fault) problems.push({ key, ...fault });
  }
  return problems;
}
