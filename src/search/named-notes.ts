import type { ChunkFilter, StoredChunk } from "../stores/store.ts";
import { pathInLayer } from "../text/layer-path.ts";
import type { Analyzer } from "../text/words/analyze.ts";
import type { NamedQuery } from "./find-candidates.ts";
import { isNamedDay, isPartOfDay, namedDays } from "./named-days.ts";
import type { Passage } from "./passages.ts";
import type { QueryWords } from "./query-words.ts";

/** The notes that a query names by file or by date. */
export interface NamedNotes {
  /** Queries that find them however many other notes match. */
  queries(tokens: readonly string[], filter: ChunkFilter): NamedQuery[];
  /** Boosts the passages of a named note above those that only mention it. */
  lift(passages: readonly Passage[]): readonly Passage[];
}

/** The fraction of the gap to a full score that a named note gains; a date may be just a mention. */
const lifts = { exact: 0.8, stem: 0.2, day: 0.35, onlyDay: 0.8 };

export function readNamedNotes(query: string, { words }: QueryWords, analyzer: Analyzer): NamedNotes {
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
        const named = tokensOf(name, analyzer);
        if (named.length > 0) queries.push({ tokens: named, filter });
      }
      return queries;
    },
    lift(passages) {
      const known = new Map<StoredChunk, number>();
      return passages.map((passage) => {
        const lift = known.get(passage.chunk) ?? liftOf(passage.chunk);
        known.set(passage.chunk, lift);
        return lift === 0 ? passage : { ...passage, score: passage.score + (1 - passage.score) * lift };
      });
    },
  };
}

/** Null if the day has no year, or the search excludes it. */
function onDay(filter: ChunkFilter, day: string): ChunkFilter | null {
  if (day.startsWith("-")) return null;
  if ((filter.since !== undefined && day < filter.since) || (filter.until ?? day) < day) return null;
  return { ...filter, since: day, until: day };
}

/** The words of a file name and its joined forms (`release.checklist`), which few chunks of other files contain. */
function tokensOf(text: string, analyzer: Analyzer): string[] {
  const tokens = new Set<string>();
  const add = (token: string): unknown => tokens.add(token);
  analyzer.scan(text, add, add);
  return [...tokens];
}

type FileNaming =
  /** By its full name (`roadmap q3.md`) or path, or the query is nothing but its name. */
  | "exact"
  /** By its name without the extension, spelled the same: "the deploy-runbook". */
  | "stem";

/** How the query names the file at a path; null if it does not. */
type NamedFile = (path: string) => FileNaming | null;

const noteEnding = /\.(?:md|markdown)$/;
/** Characters that may surround a name in a sentence. */
const edge = /[\s"'`“”‘’«»()[\]<>,;:!?]/;

/** Prepares a query for matching against many paths. */
export function createNamedFile(query: string): NamedFile {
  const asked = query.normalize("NFKC").toLowerCase().trim();
  const whole = plainName(query);
  return (path) => {
    const lower = pathInLayer(path).normalize("NFKC").toLowerCase();
    const name = lower.slice(lower.lastIndexOf("/") + 1);
    const stem = name.replace(noteEnding, "");
    if (whole !== "" && (spaced(stem) === whole || spaced(lower.replace(noteEnding, "")) === whole)) {
      return "exact";
    }
    if (name !== stem && names(asked, name, lower)) return "exact";
    const isTelling = /[-_.]/.test(stem) && !/^[\d\W_]+$/.test(stem);
    return isTelling && names(asked, stem, lower.replace(noteEnding, "")) ? "stem" : null;
  };
}

/** The file names with an extension in a query, for finding notes of that name. */
export function fileNamesIn(query: string): string[] {
  return [...query.matchAll(/[^\s"'`“”‘’«»()[\]<>,;]+\.(?:md|markdown)(?![\p{L}\p{N}])/giu)].map(([name]) =>
    name.slice(name.lastIndexOf("/") + 1),
  );
}

/** Whether the name occurs on its own, or after a path that does not name another file. */
function names(asked: string, name: string, path: string): boolean {
  for (let at = asked.indexOf(name); at !== -1; at = asked.indexOf(name, at + 1)) {
    const after = asked[at + name.length];
    const isEnd =
      after === undefined || edge.test(after) || /^\.(?:\s|$)/.test(asked.slice(at + name.length));
    if (!isEnd) continue;
    const before = asked[at - 1];
    if (before === undefined || edge.test(before)) return true;
    if (before !== "/") continue;
    let start = at;
    while (start > 0 && !edge.test(asked[start - 1]!)) start--;
    const written = asked.slice(start, at + name.length).replace(/^\.?\//, "");
    if (path === written || path.endsWith(`/${written}`) || written.endsWith(`/${path}`)) return true;
  }
  return false;
}

/** A name without quotes, extension, case and the difference between spaces and dashes. */
export function plainName(text: string): string {
  const lower = text.normalize("NFKC").toLowerCase().trim();
  return spaced(lower.replace(/^["'`\s]+|["'`\s.?!]+$/g, "").replace(noteEnding, ""));
}

function spaced(text: string): string {
  return text.replace(/[\s\-_/]+/g, " ").trim();
}
