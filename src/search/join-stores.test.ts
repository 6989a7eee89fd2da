import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { document, openAt } from "../../test/support/sqlite-index.ts";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { embedSingly, vectorOf } from "../stores/contract/fixture.ts";
import type { ChunkFilter, FullStore } from "../stores/store.ts";
import { asSearched, joinStores, type SearchedStore } from "./join-stores.ts";

/** One chunk per text. */
type Notes = Readonly<Record<string, readonly string[]>>;

async function join(t: TestContext, project: Notes, user: Notes) {
  const folder = makeTemporaryFolder(t);
  const open = async (name: string, notes: Notes): Promise<FullStore> => {
    const store = await openAt(folder.at(name));
    t.after(() => store[Symbol.asyncDispose]());
    const documents = Object.entries(notes).map(([path, chunks]) => document(path, chunks));
    if (documents.length > 0) await store.put(documents, "cut-1");
    return store;
  };
  const stores = [await open("project.sqlite", project), await open("user.sqlite", user)] as const;
  return { stores, joined: joinStores(...stores) };
}

async function find(joined: SearchedStore, word: string, filter?: ChunkFilter): Promise<string[]> {
  const ids = await joined.byKeyword([word], { limit: 10, ...(filter && { filter }) });
  const chunks = await joined.chunks(ids);
  assert.deepEqual(chunks.map(({ id }) => id).sort(), [...ids].sort());
  return chunks.map(({ path, text }) => `${path} ${text}`).sort();
}

const notes = [{ "a.md": ["pear", "plum"], "b.md": ["pear tree"] }, { "a.md": ["pear pie", "fig"] }] as const;

suite("two indexes as one", () => {
  test("find and count the notes of both, and tell them apart", async (t) => {
    const { joined } = await join(t, ...notes);
    assert.deepEqual(await find(joined, "pear"), ["a.md pear", "b.md pear tree", "user:a.md pear pie"]);
    const { files, chunks } = await joined.stats();
    assert.deepEqual([files, chunks], [3, 5]);
    const counts = await joined.documentFrequencies(["pear", "fig", "none"]);
    assert.deepEqual(Object.fromEntries(counts), { pear: 3, fig: 1, none: 0 });
    assert.deepEqual(await joined.tokensWithPrefix!("pe", 9), [{ token: "pear", chunks: 3 }]);
    assert.equal((await joined.tokensWithPrefix!("p", 1)).length, 1);
    const texts = async (path: string) => (await joined.chunksOf("memory", path)).map(({ text }) => text);
    assert.deepEqual(await texts("a.md"), ["pear", "plum"]);
    assert.deepEqual(await texts("user:a.md"), ["pear pie", "fig"]);
    assert.deepEqual((await joined.documents!()).map(({ path }) => path).sort(), [
      "a.md",
      "b.md",
      "user:a.md",
    ]);
  });

  test("are interleaved, the project's notes first", async (t) => {
    const { joined } = await join(t, { "a.md": ["pear", "pear"] }, { "a.md": ["pear", "pear", "pear"] });
    const ids = await joined.byKeyword(["pear"], { limit: 3 });
    assert.deepEqual(
      ids.map((id) => id % 2),
      [0, 1, 0, 1, 1],
    );
  });

  test("keep to a filter: private notes of the user stay private, globs and paths name their layer", async (t) => {
    const { joined } = await join(t, ...notes);
    const found = (filter: ChunkFilter) => find(joined, "pear", filter);
    assert.deepEqual(await found({ sharedOnly: true }), ["a.md pear", "b.md pear tree"]);
    assert.deepEqual(await found({ pathGlob: "a*" }), ["a.md pear"]);
    assert.deepEqual(await found({ pathGlob: "user:a*" }), ["user:a.md pear pie"]);
    assert.deepEqual(await found({ pathGlob: "**/a.md" }), ["a.md pear", "user:a.md pear pie"]);
    assert.deepEqual(await found({ paths: ["b.md", "user:a.md"] }), ["b.md pear tree", "user:a.md pear pie"]);
  });

  test("compare vectors of both, and weight their medians by size", async (t) => {
    const { joined, stores } = await join(t, { "a.md": ["pear", "plum", "fig"] }, { "a.md": ["apple"] });
    const query = vectorOf("apple");
    const ask = (limit: number) => joined.byVector("single", query, { limit });
    await embedSingly(stores[0]);
    const alone = await ask(9);
    assert.equal(alone.candidates.length, 3);
    assert.equal(alone.median, (await stores[0].byVector("single", query, { limit: 9 })).median);
    assert.deepEqual(await joined.vectorSets(), [{ id: "single", provider: "test", missing: 1 }]);
    assert.deepEqual(
      (await joined.missingVectors("single", 9)).map(({ text }) => text),
      ["apple"],
    );
    assert.equal((await joined.missingVectors("other", 3)).length, 3);
    const { joined: even } = await join(t, { "a.md": ["pear"] }, { "a.md": ["apple", "plum", "fig"] });
    assert.equal((await even.missingVectors("other", 2)).length, 2);
    assert.equal((await joined.missingVectors("other", 9)).length, 4);

    await embedSingly(stores[1]);
    const { candidates, median } = await ask(9);
    assert.equal(candidates[0]!.id % 2, 1);
    assert.deepEqual(
      candidates,
      candidates.toSorted((a, b) => b.similarity - a.similarity),
    );
    const own = await Promise.all(stores.map((store) => store.byVector("single", query, { limit: 9 })));
    assert.ok(Math.abs(median - (3 * own[0]!.median + own[1]!.median) / 4) < 1e-9);
    assert.equal((await ask(2)).candidates.length, 2);
    const ids = candidates.map(({ id }) => id);
    assert.deepEqual(
      await joined.similarities("single", query, ids),
      new Map(
        candidates.toSorted((a, b) => (a.id % 2) - (b.id % 2)).map(({ id, similarity }) => [id, similarity]),
      ),
    );
  });

  test("store what was learned about both separately from what was learned about one", async (t) => {
    const { joined, stores } = await join(t, {}, {});
    await stores[0].writeFact("trust", "one");
    assert.equal(await joined.readFact("trust"), null);
    await joined.writeFact("trust", "both");
    assert.equal(await joined.readFact("trust"), "both");
    assert.equal(await stores[0].readFact("trust"), "one");
  });
});

test("A store without vectors is searched by keywords, and reports neither vectors nor missing ones", async (t) => {
  const { stores } = await join(t, { "a.md": ["pear"] }, {});
  const { stats, byKeyword, chunks, chunksOf, documentFrequencies, readFact, writeFact, documents } =
    stores[0];
  const plain = { stats, byKeyword, chunks, chunksOf, documentFrequencies, readFact, writeFact, documents };
  const searched = asSearched(plain as unknown as FullStore);
  assert.deepEqual(await find(searched, "pear"), ["a.md pear"]);
  assert.equal((await searched.stats()).chunks, 1);
  assert.deepEqual(await searched.byVector("any", vectorOf("pear"), { limit: 9 }), {
    candidates: [],
    median: 0,
  });
  assert.deepEqual(await searched.missingVectors("any", 9), []);
  assert.deepEqual(await searched.vectorSets(), []);
  assert.equal((await searched.similarities("any", vectorOf("pear"), [1])).size, 0);
  assert.equal((await searched.documents!()).length, 1);
  assert.equal(searched.tokensWithPrefix, undefined);
  assert.equal(asSearched(stores[0]), stores[0]);
});
