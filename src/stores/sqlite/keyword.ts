import type { DatabaseSync } from "node:sqlite";
import type { ChunkFilter, KeywordClause } from "../store.ts";
import { prepareFileFilter } from "./file-filter.ts";
import { matchExpression } from "./match.ts";

export type Keyword = ReturnType<typeof prepareKeyword>;

/** The questions about words. `revision` changes whenever the index does; counts are remembered until then. */
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
  // The plus keeps SQLite from asking FTS5 once per key; the keys of the listed files are gathered once instead.
  const keysOfFiles = "(SELECT chunks.key FROM json_each(?3) JOIN chunks ON chunks.file = json_each.value)";
  const statements = {
    all: ranked(""),
    only: ranked(`AND +rowid IN ${keysOfFiles}`),
    not: ranked(`AND +rowid NOT IN ${keysOfFiles}`),
  };
  const selectFiles = prepareFileFilter(db);
  const count = db.prepare("SELECT doc FROM temp.words WHERE term = ?");
  const range = db.prepare("SELECT term, doc FROM temp.words WHERE term >= ? AND term <= ? LIMIT ?");
  const counts = { revision: Number.NaN, byToken: new Map<string, number>() };

  const countOf = (token: string): number => {
    const known = counts.byToken.get(token);
    if (known !== undefined) return known;
    const found = (count.get(token)?.["doc"] as number | undefined) ?? 0;
    if (counts.byToken.size < 100_000) counts.byToken.set(token, found);
    return found;
  };

  return {
    byKeyword: (
      clauses: readonly KeywordClause[],
      { limit, filter }: { limit: number; filter?: ChunkFilter },
    ): number[] => {
      const match = matchExpression(clauses);
      const most = Math.max(0, Math.trunc(limit));
      if (match === null || !(most > 0)) return [];
      const files = selectFiles(filter);
      const rows =
        files === null
          ? statements.all.all(match, most)
          : statements[files.mode].all(match, most, JSON.stringify(files.ids));
      return rows.map((row) => row["key"] as number);
    },
    documentFrequencies: (tokens: readonly string[]): Map<string, number> => {
      const now = revision();
      if (now !== counts.revision) {
        counts.revision = now;
        counts.byToken.clear();
      }
      return new Map(tokens.map((token) => [token, countOf(token)]));
    },
    tokensWithPrefix: (prefix: string, limit: number): { token: string; chunks: number }[] => {
      const rows = range.all(prefix, `${prefix}\u{10ffff}`, Math.max(0, Math.trunc(limit)));
      return rows.map((row) => ({ token: row["term"] as string, chunks: row["doc"] as number }));
    },
  };
}
