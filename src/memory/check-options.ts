import { nearestKey } from "../config/nearest-key.ts";
import { LonghandError } from "../errors.ts";
import type { SearchOptions } from "../search/search.ts";
import type { AddOptions, OpenMemoryOptions } from "./memory.ts";

type Names<Options> = { readonly [Name in keyof Required<Options>]: true };

const openMemory: Names<OpenMemoryOptions> = {
  ...{ workspace: true, agent: true, user: true, sessionKey: true, config: true, stateDir: true },
  ...{ store: true, embedder: true, sources: true, trusted: true, now: true },
};

const search: Names<SearchOptions> = {
  ...{ maxResults: true, minScore: true, source: true, scope: true, since: true, until: true, path: true },
  ...{ tag: true, linksTo: true, paths: true, keywordOnly: true, sessionKey: true, maxInjectedChars: true },
  ...{ explain: true, matchedLines: true, whyNot: true, progress: true, signal: true },
};

const add: Names<AddOptions> = {
  ...{ scope: true, to: true, heading: true, onlyNewItems: true, origin: true, sessionKey: true },
  ...{ force: true, indexing: true, signal: true },
};

const optionsOf = { openMemory, search, add };

/** Rejects a misspelled option, which would otherwise be ignored without a word. Types only protect TypeScript. */
export function checkOptions(call: keyof typeof optionsOf, given: object): void {
  const known = Object.keys(optionsOf[call]);
  const unknown = Object.entries(given).find(
    ([name, value]) => value !== undefined && !known.includes(name),
  )?.[0];
  if (unknown === undefined) return;
  const nearest = nearestKey(unknown, known);
  const suggestion = nearest === null ? "." : `; did you mean ${nearest}?`;
  throw new LonghandError("not-supported", `${call} has no option ${JSON.stringify(unknown)}${suggestion}`, {
    hint: `Its options: ${known.join(", ")}.${call === "openMemory" ? " Settings belong in config." : ""}`,
  });
}
