import type { DatabaseSync } from "node:sqlite";
import { once } from "../../text/once.ts";
import { atMost } from "../candidates.ts";
import type { ChunkFilter } from "../store.ts";
import type { SelectFiles } from "./file-filter.ts";
import { prepareWordRanking } from "./rank-words.ts";
import { tokenOf, toStoredToken } from "./terms.ts";
import { inSnapshot } from "./transaction.ts";

export type Keyword = ReturnType<typeof prepareKeyword>;

/** `revision` changes whenever the index does. */
export function prepareKeyword(
  db: DatabaseSync,
  { revision, selectFiles }: { readonly revision: () => number; readonly selectFiles: SelectFiles },
) {
  db.exec("CREATE VIRTUAL TABLE temp.words USING fts5vocab (main, chunks_fts, row)");
  // Opens the table. If it is damaged, that fails here with its own error, where `fts5vocab` would say later that there
  // is no such table.
  db.prepare("SELECT rowid FROM chunks_fts WHERE chunks_fts MATCH ?");
  const ranking = prepareWordRanking(db, revision);
  const wordCounts = prepareWordCounts(db, { revision, count: ranking.count });
  const range = once(() => {
    const statement = db.prepare("SELECT term, doc FROM temp.words WHERE term >= ? AND term <= ?");
    statement.setReturnArrays(true);
    return statement;
  });

  return {
    byKeyword: (
      tokens: readonly string[],
      { limit, filter }: { limit: number; filter?: ChunkFilter },
    ): number[] => {
      const max = atMost(limit);
      if (max === 0) return [];
      // One snapshot for both queries: a document that became private in between must not slip through.
      return inSnapshot(db, () => {
        const files = selectFiles(filter);
        if (files === null) return ranking.rank(tokens, { limit: max });
        const [keys, isListed] = [files.keys(), files.mode === "only"];
        return ranking.rank(tokens, { limit: max, accepts: (key) => keys.has(key) === isListed });
      });
    },
    documentFrequencies: (tokens: readonly string[]): Map<string, number> =>
      inSnapshot(db, () => wordCounts(tokens)),
    tokensWithPrefix: (prefix: string, limit: number): { token: string; chunks: number }[] => {
      const from = toStoredToken(prefix);
      const max = atMost(limit);
      const found: { token: string; chunks: number }[] = [];
      const rows = range().iterate(from, `${from}\u{10ffff}`);
      for (const [term, chunks] of rows as Iterable<unknown> as Iterable<[string, number]>) {
        const token = tokenOf(term);
        const last = found.at(-1);
        // The terms of a token follow each other, and no chunk has two of them.
        if (last?.token === token) last.chunks += chunks;
        else if (found.length < max) found.push({ token, chunks });
        else break;
      }
      return found;
    },
  };
}

interface CountLimits {
  /** In an index of at most this many chunks every count is up to date. */
  readonly smallIndex: number;
  /** In a larger one, counts above this are kept across small changes. */
  readonly largeCount: number;
}

const defaultLimits: CountLimits = { smallIndex: 200_000, largeCount: 10_000 };

/**
 * The document frequency of a token. Counting reads all its postings: some milliseconds for a token in a million chunks,
 * and a query may have several. So in a large index, large counts are kept until one chunk in a hundred has changed.
 * Tokens that common weigh next to nothing, so one percent does not matter.
 */
export function prepareWordCounts(
  db: DatabaseSync,
  {
    revision,
    count,
    limits: { smallIndex, largeCount } = defaultLimits,
  }: {
    readonly revision: () => number;
    readonly count: (token: string) => number;
    readonly limits?: CountLimits;
  },
): (tokens: readonly string[]) => Map<string, number> {
  // Two subqueries in one row: as plain columns they would make SQLite scan the whole table.
  const extent = db.prepare(
    `SELECT (SELECT count(*) FROM chunks_fts_docsize) AS chunks,
       ifnull((SELECT max(id) FROM chunks_fts_docsize), 0) AS lastKey`,
  );
  const counts = new Map<string, number>();
  const largeCounts = new Map<string, number>();
  let seenRevision = Number.NaN;
  let changesAtRenewal = Number.NEGATIVE_INFINITY;

  const refresh = (): void => {
    const now = revision();
    if (seenRevision === now) return;
    const { chunks, lastKey } = extent.get() as { chunks: number; lastKey: number };
    counts.clear();
    // Keys are never reused, so this grows by one with every added and every deleted chunk.
    const changes = 2 * lastKey - chunks;
    if (chunks <= smallIndex || (changes - changesAtRenewal) * 100 > chunks) {
      largeCounts.clear();
      changesAtRenewal = changes;
    }
    seenRevision = now;
  };

  const countOf = (token: string): number => {
    const known = counts.get(token) ?? largeCounts.get(token);
    if (known !== undefined) return known;
    const found = count(token);
    (found > largeCount ? largeCounts : counts).set(token, found);
    return found;
  };

  return (tokens) => {
    refresh();
    return new Map(tokens.map((token) => [token, countOf(token)]));
  };
}
