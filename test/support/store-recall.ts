import assert from "node:assert/strict";
import { document } from "../../src/stores/contract/fixture.ts";
import { openSqliteStore } from "../../src/stores/sqlite/sqlite-store.ts";
import type { ChunkFilter, Store } from "../../src/stores/store.ts";

/** The store must be opened with this analyzer. */
export const plainTokens = ({ text, headings }: { text: string; headings: readonly string[] }) => ({
  body: text,
  head: headings.join(" "),
});

/**
 * A query finds the same candidates as in SQLite: all of them if there are few, and nearly all of the best if there are
 * many. Their order does not matter, because `search/` scores them.
 */
export async function checkRecall(
  ours: Store,
  { sqlitePath, random }: { sqlitePath: string; random: () => number },
): Promise<void> {
  const word = () => `w${Math.floor(200 ** random())}`;
  await using theirs = await openSqliteStore({
    path: sqlitePath,
    analyzerId: "contract",
    tokens: plainTokens,
  });
  for (let round = 0; round < 3; round++) {
    const documents = Array.from({ length: 30 }, (_, index) => {
      const texts = Array.from({ length: 5 }, () =>
        Array.from({ length: 3 + Math.floor(20 * random()) }, word).join(" "),
      );
      const { document: head, chunks } = document(`${round}-${10 + index}.md`, texts);
      return { document: head, chunks: chunks.map((chunk) => ({ ...chunk, headings: [word(), word()] })) };
    });
    for (const store of [theirs, ours]) await store.put(documents, "cut-1");
  }
  const find = async (
    store: Store,
    tokens: readonly string[],
    options: { limit: number; filter?: ChunkFilter },
  ) => {
    const chunks = await store.chunks(await store.byKeyword(tokens, options));
    return chunks.map(({ path, lines }) => `${path}:${lines.start}`);
  };
  const filter = { pathGlob: "*-1*.md" };
  let [wanted, found] = [0, 0];
  for (let question = 0; question < 40; question++) {
    const tokens = Array.from({ length: 1 + (question % 5) }, word);
    for (const options of [{ limit: 20 }, { limit: 500 }, { limit: 20, filter }]) {
      const expected = await find(theirs, tokens, options);
      const given = new Set(await find(ours, tokens, options));
      assert.equal(given.size, expected.length, tokens.join(" "));
      const shared = expected.filter((place) => given.has(place)).length;
      if (expected.length < options.limit) assert.equal(shared, expected.length, tokens.join(" "));
      wanted += expected.length;
      found += shared;
    }
  }
  assert.ok(found >= 0.98 * wanted, `${found} of ${wanted} candidates`);
}
