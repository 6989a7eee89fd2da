import { nearestKey } from "../config/nearest-key.ts";
import { LonghandError } from "../errors.ts";
import type { SearchOptions } from "../search/search.ts";
import { nameType } from "../text/value-rule.ts";
import type { OpenMemoryOptions } from "./memory.ts";
import type { AddOptions } from "./note-requests.ts";

/** As `nameType` names it. `any` is for values that are checked where they are used, or have several types. */
type Kind =
  | ("a string" | "a number" | "a boolean" | "a list" | "an object" | "a function" | "any")
  | "an AbortSignal"
  /** One of these values. */
  | readonly string[];
type Kinds<Options> = { readonly [Name in keyof Required<Options>]: Kind };

const openMemory: Kinds<OpenMemoryOptions> = {
  workspace: "a string",
  agent: "a string",
  user: "any",
  sessionKey: "a string",
  config: "any",
  stateDir: "a string",
  store: "an object",
  embedder: "an object",
  sources: "a list",
  trusted: "a boolean",
  now: "a function",
};

const search: Kinds<SearchOptions> = {
  maxResults: "a number",
  minScore: "a number",
  source: "a string",
  scope: ["project", "user"],
  since: "any",
  until: "any",
  path: "a string",
  tag: "a string",
  linksTo: "a string",
  paths: "a list",
  keywordOnly: "a boolean",
  sessionKey: "a string",
  maxInjectedChars: "a number",
  explain: "a boolean",
  matchedLines: "a boolean",
  whyNot: "a string",
  progress: "a function",
  signal: "an AbortSignal",
};

const add: Kinds<AddOptions> = {
  scope: ["project", "user"],
  to: "a string",
  heading: "any",
  onlyNewItems: "a boolean",
  origin: "a string",
  sessionKey: "a string",
  force: "a boolean",
  indexing: ["now", "later"],
  signal: "an AbortSignal",
};

const optionsOf: Readonly<Record<"openMemory" | "search" | "add", Readonly<Record<string, Kind>>>> = {
  openMemory,
  search,
  add,
};

/**
 * Rejects a misspelled option, which would otherwise be ignored without a word, and a value of the wrong type. Types
 * only protect TypeScript.
 */
export function checkOptions(call: keyof typeof optionsOf, given: object): void {
  const kinds = optionsOf[call];
  const known = Object.keys(kinds);
  const hint = `Its options: ${known.join(", ")}.${call === "openMemory" ? " Settings belong in config." : ""}`;
  const refuse = (why: string) => new LonghandError("not-supported", `${call} ${why}`, { hint });
  if (nameType(given) !== "an object") {
    throw refuse(`takes its options as an object, not as ${nameType(given)}.`);
  }
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const kind = Object.hasOwn(kinds, name) ? kinds[name]! : null;
    if (kind === null) {
      const nearest = nearestKey(name, known);
      const suggestion = nearest === null ? "." : `; did you mean ${nearest}?`;
      throw refuse(`has no option ${JSON.stringify(name)}${suggestion}`);
    }
    const problem = problemWith(value, kind);
    if (problem !== null) throw refuse(`cannot use its option ${name}: it must be ${problem}.`);
  }
}

function problemWith(value: unknown, kind: Kind): string | null {
  const type = Number.isNaN(value) ? "NaN" : nameType(value);
  if (kind === "any" || kind === type) return null;
  if (kind === "an AbortSignal") {
    return value instanceof EventTarget && "aborted" in value ? null : `${kind}, not ${type}`;
  }
  if (typeof kind === "string") return `${kind}, not ${type}`;
  if (kind.includes(value as string)) return null;
  return `${kind.join(" or ")}, not ${typeof value === "string" ? JSON.stringify(value) : type}`;
}
