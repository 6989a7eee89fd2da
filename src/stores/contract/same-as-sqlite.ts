import assert from "node:assert/strict";
import { openSqliteStore } from "../sqlite/sqlite-store.ts";
import type { ChunkFilter, KeywordClause, Store } from "../store.ts";
import { document } from "./fixture.ts";

/** What the store must be opened with. */
export const plainTokens = ({ text, headings }: { text: string; headings: readonly string[] }) => ({
  body: text,
  head: headings.join(" "),
});

/**
 * Any words, phrases and beginnings of words find the same chunks in the same order as in SQLite. As long as nothing was
 * deleted: FTS5 goes on counting deleted chunks in their average length.
 */
export async function compareWithSqlite(
  ours: Store,
  { sqlitePath, random }: { sqlitePath: string; random: () => number },
): Promise<void> {
  const word = () => `w${Math.floor(200 ** random())}`;
  await using theirs = await openSqliteStore({
    path: sqlitePath,
    analyserId: "contract",
    tokens: plainTokens,
  });
  for (let round = 0; round < 3; round++) {
    const documents = Array.from({ length: 30 }, (_, index) => {
      const texts = Array.from({ length: 5 }, () =>
        Array.from({ length: 3 + Math.floor(20 * random()) }, word).join(" "),
      );
      const { chunks, ...rest } = document(`${round}-${10 + index}.md`, texts);
      return { ...rest, chunks: chunks.map((chunk) => ({ ...chunk, headings: [word(), word()] })) };
    });
    for (const store of [theirs, ours]) await store.put(documents, "cut-1");
  }
  const find = async (
    store: Store,
    clauses: readonly KeywordClause[],
    options: { limit: number; filter?: ChunkFilter },
  ) => {
    const chunks = await store.chunks(await store.byKeyword(clauses, options));
    return chunks.map(({ path, lines }) => `${path}:${lines.start}`);
  };
  const filter = { pathGlob: "*-1*.md" };
  for (let question = 0; question < 40; question++) {
    const clauses: KeywordClause[] = Array.from({ length: 1 + (question % 5) }, (_, index) =>
      index === 1 ? { tokens: [word(), word()] } : { tokens: [word()], prefix: index === 2 },
    );
    for (const options of [{ limit: 20 }, { limit: 500 }, { limit: 20, filter }]) {
      const expected = await find(theirs, clauses, options);
      assert.deepEqual(await find(ours, clauses, options), expected, JSON.stringify(clauses));
    }
  }
}
