import type { ChunkFilter, StoredChunk } from "../stores/store.ts";
import { monthNumber } from "../text/months.ts";
import type { Analyser } from "../text/words/analyse.ts";
import type { NamedQuery } from "./find-candidates.ts";
import { isNamedDay, namedDays } from "./named-days.ts";
import { createNamedFile, fileNamesIn } from "./named-files.ts";
import type { Passage } from "./passages.ts";
import type { QueryWords } from "./query-words.ts";

/** The notes that a question names, by their file or by their day. */
export interface NamedNotes {
  /** Finds them however many other notes have the question's words. */
  queries(tokens: readonly string[], filter: ChunkFilter): NamedQuery[];
  /** Lifts the passages of a named note above those that only mention it. */
  lift(passages: readonly Passage[]): readonly Passage[];
}

/** How much of what is missing to a full score a named note gets: a day may also be just mentioned elsewhere. */
const lifts = { exact: 0.8, stem: 0.2, day: 0.35, onlyDay: 0.8 };

export function readNamedNotes(query: string, { words }: QueryWords, analyser: Analyser): NamedNotes {
  const days = namedDays(query);
  const isOnlyDay = words.every(({ kind, text }) => kind !== "word" || isPartOfDay(text));
  const dayLift = isOnlyDay ? lifts.onlyDay : lifts.day;
  const namedFile = createNamedFile(query);
  const liftOf = ({ path, date }: StoredChunk): number => {
    const naming = namedFile(path);
    return Math.max(naming === null ? 0 : lifts[naming], isNamedDay(date, days) ? dayLift : 0);
  };

  return {
    queries(tokens, filter) {
      const queries: NamedQuery[] = [];
      for (const day of days) {
        const own = onDay(filter, day);
        if (own !== null && tokens.length > 0) queries.push({ tokens, filter: own });
      }
      for (const name of fileNamesIn(query)) {
        const named = tokensOf(name, analyser);
        if (named.length > 0) queries.push({ tokens: named, filter });
      }
      return queries;
    },
    lift(passages) {
      // One decision for each chunk.
      const known = new Map<StoredChunk, number>();
      return passages.map((passage) => {
        const lift = known.get(passage.chunk) ?? liftOf(passage.chunk);
        known.set(passage.chunk, lift);
        return lift === 0 ? passage : { ...passage, score: passage.score + (1 - passage.score) * lift };
      });
    },
  };
}

function isPartOfDay(word: string): boolean {
  return /^\d+(?:st|nd|rd|th)?$/.test(word) || monthNumber(word) !== undefined;
}

/** Null when the day has no year, or the search leaves that day out. */
function onDay(filter: ChunkFilter, day: string): ChunkFilter | null {
  if (day.startsWith("-")) return null;
  if ((filter.since !== undefined && day < filter.since) || (filter.until ?? day) < day) return null;
  return { ...filter, since: day, until: day };
}

/** The words of a file name and what joins them (`release.checklist`), which few chunks but those of the file hold. */
function tokensOf(text: string, analyser: Analyser): string[] {
  const tokens = new Set<string>();
  const add = (token: string): unknown => tokens.add(token);
  analyser.scan(text, add, add);
  return [...tokens];
}
