import type { DatabaseSync } from "node:sqlite";

export interface CountLimits {
  /** In an index of at most this many chunks every count is exact. */
  readonly smallIndex: number;
  /** In a larger one, counting goes so far; what lies beyond is estimated. */
  readonly countedChunks: number;
  /** And a count above this outlives small changes. */
  readonly largeCount: number;
}

const defaultLimits: CountLimits = { smallIndex: 200_000, countedChunks: 100_000, largeCount: 10_000 };

/**
 * In how many chunks a word stands. FTS5 counts by reading all that it stored for the word: 40 ms for one
 * that stands in a million chunks, and a question may hold several such words. So in a large index counting
 * stops at the 100,000th chunk, and how far into the index that was tells the rest; and large counts are
 * kept until one chunk in a hundred has changed. Words as common as that weigh next to nothing, and a few
 * percent do not change it.
 */
export function prepareWordCounts(
  db: DatabaseSync,
  revision: () => number,
  {
    limits: { smallIndex, countedChunks, largeCount } = defaultLimits,
    countFast = () => null,
  }: { readonly limits?: CountLimits; readonly countFast?: (token: string) => number | null } = {},
): (tokens: readonly string[]) => Map<string, number> {
  const exact = db.prepare("SELECT doc FROM temp.words WHERE term = ?");
  // Three questions in one row: as plain columns they would make SQLite walk through the whole table.
  const extent = db.prepare(
    `SELECT (SELECT count(*) FROM chunks_fts_docsize) AS chunks,
       ifnull((SELECT min(id) FROM chunks_fts_docsize), 0) AS firstKey,
       ifnull((SELECT max(id) FROM chunks_fts_docsize), 0) AS lastKey`,
  );
  const farMatch = db.prepare(
    `SELECT rowid AS key FROM chunks_fts WHERE chunks_fts MATCH ? ORDER BY rowid LIMIT 1 OFFSET ${countedChunks - 1}`,
  );
  const counts = new Map<string, number>();
  const largeCounts = new Map<string, number>();
  const seen = { revision: Number.NaN, chunks: 0, firstKey: 0, lastKey: 0, changes: 0 };

  const refresh = (): void => {
    const now = revision();
    if (now === seen.revision) return;
    const { chunks, firstKey, lastKey } = extent.get() as {
      chunks: number;
      firstKey: number;
      lastKey: number;
    };
    counts.clear();
    // Keys are never used twice, so this grows by one with every chunk that is added and every one that is
    // deleted.
    const changes = lastKey + (lastKey - chunks);
    if (chunks <= smallIndex || (changes - seen.changes) * 100 > chunks) {
      largeCounts.clear();
      seen.changes = changes;
    }
    Object.assign(seen, { revision: now, chunks, firstKey, lastKey });
  };

  const count = (token: string): number => {
    if (seen.chunks > smallIndex) {
      const reached = farMatch.get(`"${token.replaceAll("\0", "").replaceAll('"', '""')}"`)?.["key"];
      if (typeof reached === "number") {
        const share = (reached - seen.firstKey + 1) / (seen.lastKey - seen.firstKey + 1);
        return Math.min(seen.chunks, Math.round(countedChunks / share));
      }
    }
    return countFast(token) ?? (exact.get(token)?.["doc"] as number | undefined) ?? 0;
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
