import assert from "node:assert/strict";
import type { VectorEntry } from "../store-vectors.ts";
import {
  type CachingStore,
  type Check,
  cosine,
  document,
  embedAll,
  embedSingly,
  named,
  one,
  similarTo,
  vectorOf,
} from "./fixture.ts";

/** A vector that was paid for is not requested again. */
export function checkVectorCache(check: Check<CachingStore>): void {
  const single = { embedderId: "single" };
  const entries = async (store: Parameters<typeof embedSingly>[0]) =>
    (await store.vectorStatistics("single")).cacheEntries;

  check("knows the vector of a text that was removed and comes back", async (store, fixture) => {
    await store.put([document("a.md", ["pear", "apple"]), document("b.md", ["plum"])], "cut-1");
    assert.deepEqual(await embedSingly(store), ["pear", "apple", "plum"]);
    await store.remove("memory", ["a.md"]);
    assert.deepEqual(await similarTo(store, "pear", { limit: 9, ...single }), ["plum"]);
    await using other = await fixture.open();
    await other.put([document("c.md", ["fig", "apple", "pear"])], "cut-2");
    assert.equal(await other.reuseVectors(named("single")), 2);
    assert.equal(await other.reuseVectors(named("single")), 0);
    assert.deepEqual(await embedSingly(other), ["fig"]);
    assert.deepEqual(await similarTo(store, "pear", single), ["pear"]);
    assert.equal(await entries(store), 4);
    const { candidates } = await store.byVector("single", vectorOf("apple"), { limit: 9 });
    const found = await store.chunks(candidates.map(({ id }) => id));
    for (const [index, { similarity }] of candidates.entries()) {
      const exact = cosine(vectorOf("apple"), vectorOf(found[index]!.text));
      assert.ok(Math.abs(similarity - exact) < 1e-6);
    }
  });

  check("looks up the vectors of some texts alone", async (store) => {
    await store.put([document("a.md", ["pear", "apple"])], "cut-1");
    await embedSingly(store);
    await store.remove("memory", ["a.md"]);
    await store.put([document("b.md", ["pear", "fig", "apple"])], "cut-1");
    const reuse = (...only: string[]) => store.reuseVectors(named("single"), { only });
    assert.equal(await reuse(), 0);
    assert.equal(await reuse("hash of fig", "hash of plum"), 0);
    assert.equal(await reuse("hash of fig", "hash of apple", "hash of apple"), 1);
    assert.equal(await reuse("hash of apple"), 0);
    const missing = await store.missingVectors("single", 9);
    assert.deepEqual(
      missing.map(({ text }) => text),
      ["pear", "fig"],
    );
    assert.equal(await store.reuseVectors(named("single")), 1);
  });

  check("keeps exact vectors only of embedders with one vector per text", async (store) => {
    await store.put([document("a.md", ["pear apple", "plum"])], "cut-1");
    await embedAll(store);
    assert.equal(await entries(store), 0);
    assert.equal(await store.reuseVectors(named("model")), 0);
    const two = [{ hash: "hash of plum", vectors: [vectorOf("plum"), vectorOf("fig")] }];
    await assert.rejects(store.putVectors(named("single"), two, one), { code: "vectors-invalid" });
    assert.equal(await entries(store), 0);
  });

  check("never gives the vectors of one embedder to another", async (store) => {
    await store.put([document("a.md", ["pear"])], "cut-1");
    await embedSingly(store);
    const { provider, model } = named("single");
    assert.equal(await store.reuseVectors({ id: "single, 8 numbers", provider, model }), 0);
    assert.equal(await store.reuseVectors({ ...named("other"), model }), 0);
    assert.equal((await store.missingVectors("other", 9)).length, 1);
  });

  check("exports the exact vectors of an embedder, and imports them elsewhere", async (store) => {
    if (store.exportVectors === undefined) return;
    const exported = async (): Promise<VectorEntry[]> => {
      const entries: VectorEntry[] = [];
      for await (const group of store.exportVectors!(named("single"))) entries.push(...group);
      return entries.sort((left, right) => (left.hash < right.hash ? -1 : 1));
    };
    assert.deepEqual(await exported(), []);
    await store.put([document("a.md", ["---", "pear", "apple"])], "cut-1");
    await store.putVectors(named("single"), [{ hash: "hash of ---", vectors: [] }], one);
    await embedSingly(store);
    await embedSingly(store, "another");
    await store.put([document("a.md", ["---", "pear"])], "cut-1");
    const found = await exported();
    assert.deepEqual(
      found.map(({ hash, vectors }) => [hash, vectors.length]),
      [
        ["hash of ---", 0],
        ["hash of apple", 1],
        ["hash of pear", 1],
      ],
    );
    assert.ok(cosine(found[1]!.vectors[0]!, vectorOf("apple")) > 0.999_999);
  });

  check("also remembers a text with nothing to embed", async (store) => {
    await store.put([document("a.md", ["---", "pear"])], "cut-1");
    await store.putVectors(named("single"), [{ hash: "hash of ---", vectors: [] }], one);
    await embedSingly(store);
    await store.remove("memory", ["a.md"]);
    await store.put([document("b.md", ["pear", "---"])], "cut-1");
    assert.equal(await store.reuseVectors(named("single")), 2);
    assert.deepEqual(await store.missingVectors("single", 9), []);
    assert.deepEqual(await similarTo(store, "pear", { limit: 9, ...single }), ["pear"]);
  });

  check("keeps nothing of a text that no chunk contains", async (store) => {
    await store.put([document("a.md", ["pear"])], "cut-1");
    const gone = [
      { hash: "hash of fig", vectors: [vectorOf("fig")] },
      { hash: "hash of ---", vectors: [] },
    ];
    await store.putVectors(named("single"), gone, one);
    assert.equal(await entries(store), 0);
    await store.put([document("a.md", ["pear", "fig"])], "cut-1");
    assert.deepEqual(await embedSingly(store), ["pear", "fig"]);
  });

  check("evicts the oldest that no chunk uses, when there are too many", async (_, fixture) => {
    let time = 1000;
    await using store = await fixture.open({ maxCachedVectors: 3, now: () => time++ });
    for (const word of ["first", "second", "third", "fourth"]) {
      await store.put([document("a.md", [word])], "cut-1");
      await embedSingly(store);
    }
    assert.equal(await entries(store), 3);
    await store.put([document("a.md", ["first", "second", "third"])], "cut-1");
    assert.deepEqual(await embedSingly(store), ["first"]);
    assert.equal(await entries(store), 3);
    // More are in use than the cache may hold: those stay, and nothing else does.
    await store.put([document("a.md", ["one", "two", "three", "four", "five"])], "cut-1");
    assert.equal((await embedSingly(store)).length, 5);
    assert.equal(await entries(store), 5);
    assert.deepEqual(await similarTo(store, "four", single), ["four"]);
  });

  check("without room keeps only what chunks use", async (_, fixture) => {
    await using store = await fixture.open({ maxCachedVectors: 0 });
    await store.put([document("a.md", ["pear", "apple"]), document("b.md", ["pear"])], "cut-1");
    await embedSingly(store);
    await store.remove("memory", ["a.md"]);
    await store.put([document("c.md", ["plum"])], "cut-1");
    assert.deepEqual(await embedSingly(store), ["plum"]);
    assert.equal(await entries(store), 2);
    await store.put([document("a.md", ["apple"])], "cut-1");
    assert.deepEqual(await embedSingly(store), ["apple"]);
  });
}
