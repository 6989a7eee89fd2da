import { nearestKey } from "../config/nearest-key.ts";
import { LonghandError } from "../errors.ts";
import type { SearchOptions } from "../search/search.ts";
import type { AddOptions, OpenMemoryOptions } from "./memory.ts";

/** `any` is for values that are checked where they are used, or have several types. */
type Kind = "text" | "number" | "boolean" | "list" | "object" | "function" | "any";
type Kinds<Options> = { readonly [Name in keyof Required<Options>]: Kind };

const openMemory: Kinds<OpenMemoryOptions> = {
  ...{ workspace: "text", agent: "text", user: "any", sessionKey: "text", config: "any", stateDir: "text" },
  ...{ store: "object", embedder: "object", sources: "list", trusted: "boolean", now: "function" },
};

const search: Kinds<SearchOptions> = {
  ...{ maxResults: "number", minScore: "number", source: "text", scope: "any", since: "any", until: "any" },
  ...{ path: "text", tag: "text", linksTo: "text", paths: "list", keywordOnly: "boolean" },
  ...{ sessionKey: "text", maxInjectedChars: "number", explain: "boolean", matchedLines: "boolean" },
  ...{ whyNot: "text", progress: "function", signal: "object" },
};

const add: Kinds<AddOptions> = {
  ...{ scope: "any", to: "text", heading: "any", onlyNewItems: "boolean", origin: "text" },
  ...{ sessionKey: "text", force: "boolean", indexing: "text", signal: "object" },
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
  if (kindOf(given) !== "object") throw refuse(`takes its options as an object, not as ${nameOf(given)}.`);
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const kind = Object.hasOwn(kinds, name) ? kinds[name]! : null;
    if (kind === null) {
      const nearest = nearestKey(name, known);
      const suggestion = nearest === null ? "." : `; did you mean ${nearest}?`;
      throw refuse(`has no option ${JSON.stringify(name)}${suggestion}`);
    }
    if (kind !== "any" && kindOf(value) !== kind) {
      throw refuse(`cannot use its option ${name}: it must be ${wanted[kind]}, not ${nameOf(value)}.`);
    }
  }
}

const wanted: Readonly<Record<Exclude<Kind, "any">, string>> = {
  text: "text",
  number: "a number",
  boolean: "true or false",
  list: "a list",
  object: "an object",
  function: "a function",
};

function kindOf(value: unknown): Exclude<Kind, "any"> | null {
  if (Array.isArray(value)) return "list";
  if (typeof value === "string") return "text";
  if (typeof value === "number") return Number.isNaN(value) ? null : "number";
  if (typeof value === "object") return value === null ? null : "object";
  if (typeof value === "boolean") return "boolean";
  return typeof value === "function" ? "function" : null;
}

function nameOf(value: unknown): string {
  const kind = kindOf(value);
  return kind === null ? String(value) : wanted[kind];
}
