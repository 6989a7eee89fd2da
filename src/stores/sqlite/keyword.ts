import type { DatabaseSync } from "node:sqlite";
import { once } from "../../text/once.ts";
import type { ChunkFilter } from "../store.ts";
import { prepareFileFilter } from "./file-filter.ts";
import { prepareWordRanking } from "./rank-words.ts";
import { atMost, inSnapshot } from "./transaction.ts";

export type Keyword = ReturnType<typeof prepareKeyword>;

/** `revision` changes whenever the index does. */
export function prepareKeyword(
  db: DatabaseSync,
  { headWeight, revision }: { headWeight: number; revision: () => number },
) {
  db.exec("CREATE VIRTUAL TABLE temp.words USING fts5vocab (main, chunks_fts, row)");
  const ranked = (condition: string) =>
    db.prepare(
      `SELECT rowid AS key, bm25(chunks_fts, 1.0, ${headWeight}) AS score FROM chunks_fts
       WHERE chunks_fts MATCH ?1 ${condition} ORDER BY score, rowid LIMIT ?2`,
    );
  // The plus keeps SQLite from querying FTS5 once per key; the keys of the listed files are gathered once instead.
  const keysOfFiles = "(SELECT chunks.key FROM json_each(?3) JOIN chunks ON chunks.file = json_each.value)";
  // Most queries are plain tokens over all notes, and need none of these.
  const statements = {
    all: once(() => ranked("")),
    only: once(() => ranked(`AND +rowid IN ${keysOfFiles}`)),
    not: once(() => ranked(`AND +rowid NOT IN ${keysOfFiles}`)),
  };
  const selectFiles = prepareFileFilter(db, revision);
  const ranking = prepareWordRanking(db, { headWeight, revision });
  // The first query goes to FTS5 alone: many processes make no second one, and our own code is slow before it is
  // compiled.
  const isAsked = { before: false };
  const wordCounts = prepareWordCounts(db, revision, {
    countFast: (token) => (isAsked.before ? ranking.count(token) : null),
  });
  const range = db.prepare("SELECT term, doc FROM temp.words WHERE term >= ? AND term <= ? LIMIT ?");

  return {
    /** FTS5's bm25 is better the smaller it is. */
    byKeyword: (
      tokens: readonly string[],
      { limit, filter }: { limit: number; filter?: ChunkFilter },
    ): number[] => {
      const match = matchExpression(tokens);
      const max = atMost(limit);
      if (match === null || max === 0) return [];
      // One snapshot for both queries: a document that became private in between must not slip through.
      return inSnapshot(db, () => {
        const files = selectFiles(filter);
        const words = files === null && isAsked.before ? plainWords(tokens) : null;
        isAsked.before = true;
        const best = words && ranking.rank(words, max);
        if (best !== null) return best;
        const rows =
          files === null
            ? statements.all().all(match, max)
            : statements[files.mode]().all(match, max, files.ids);
        return rows.map((row) => row["key"] as number);
      });
    },
    documentFrequencies: (tokens: readonly string[]): Map<string, number> =>
      inSnapshot(db, () => wordCounts(tokens)),
    tokensWithPrefix: (prefix: string, limit: number): { token: string; chunks: number }[] => {
      const rows = range.all(prefix, `${prefix}\u{10ffff}`, atMost(limit));
      return rows.map((row) => ({ token: row["term"] as string, chunks: row["doc"] as number }));
    },
  };
}

/**
 * The tokens as an FTS5 expression, or null if nothing is left to search for. Each is quoted, so nothing in it is ever
 * an operator. A token with a space in it is in no chunk, and a NUL would end the expression even inside quotes.
 */
export function matchExpression(tokens: readonly string[]): string | null {
  const words = tokens.filter((token) => /^[^ \0]+$/.test(token));
  const quoted = new Set(words.map((word) => `"${word.replaceAll('"', '""')}"`));
  return quoted.size === 0 ? null : [...quoted].join(" OR ");
}

/** Tokens that FTS5's tokenizer leaves unchanged. */
const plainWord = /^[^\0 A-Z]{1,1000}$/;

/** Null if FTS5 would change one of them. */
function plainWords(tokens: readonly string[]): string[] | null {
  return tokens.every((token) => plainWord.test(token)) ? [...new Set(tokens)] : null;
}

interface CountLimits {
  /** In an index of at most this many chunks every count is exact. */
  readonly smallIndex: number;
  /** In a larger one, counting stops here, and the rest is estimated. */
  readonly countedChunks: number;
  /** Counts above this are kept across small changes. */
  readonly largeCount: number;
}

const defaultLimits: CountLimits = { smallIndex: 200_000, countedChunks: 100_000, largeCount: 10_000 };

/** The number of chunks, and the range of their keys. */
interface Extent {
  readonly chunks: number;
  readonly firstKey: number;
  readonly lastKey: number;
}

/**
 * The document frequency of a token. FTS5 counts by reading its whole doclist: 40 ms for a token in a million chunks,
 * and a query may have several. So in a large index counting stops at the 100,000th chunk and the rest is extrapolated
 * from its position; and large counts are kept until one chunk in a hundred has changed. Tokens that common weigh next
 * to nothing, so a few percent do not matter.
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
  // Three subqueries in one row: as plain columns they would make SQLite scan the whole table.
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
  let seen: (Extent & { readonly revision: number }) | null = null;
  let changesAtRenewal = Number.NEGATIVE_INFINITY;

  const refresh = (): Extent => {
    const now = revision();
    if (seen?.revision === now) return seen;
    const row = extent.get() as unknown as Extent;
    const { chunks, lastKey } = row;
    counts.clear();
    // Keys are never reused, so this grows by one with every added and every deleted chunk.
    const changes = 2 * lastKey - chunks;
    if (chunks <= smallIndex || (changes - changesAtRenewal) * 100 > chunks) {
      largeCounts.clear();
      changesAtRenewal = changes;
    }
    seen = { ...row, revision: now };
    return seen;
  };

  const count = (token: string, { chunks, firstKey, lastKey }: Extent): number => {
    if (chunks > smallIndex) {
      const reached = farMatch.get(`"${token.replaceAll("\0", "").replaceAll('"', '""')}"`)?.["key"];
      if (typeof reached === "number") {
        const share = (reached - firstKey + 1) / (lastKey - firstKey + 1);
        return Math.min(chunks, Math.round(countedChunks / share));
      }
    }
    return countFast(token) ?? (exact.get(token)?.["doc"] as number | undefined) ?? 0;
  };

  const countOf = (token: string, now: Extent): number => {
    const known = counts.get(token) ?? largeCounts.get(token);
    if (known !== undefined) return known;
    const found = count(token, now);
    (found > largeCount ? largeCounts : counts).set(token, found);
    return found;
  };

  return (tokens) => {
    const now = refresh();
    return new Map(tokens.map((token) => [token, countOf(token, now)]));
  };
}
