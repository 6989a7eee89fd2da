import assert from "node:assert/strict";
import type { ChunkFilter, VectorStore } from "../store.ts";
import type { NarrowTexts } from "../store-vectors.ts";
import {
  type Check,
  cosine,
  dimensions,
  document,
  embedAll,
  named,
  one,
  several,
  similarTo,
  vectorOf,
} from "./fixture.ts";

/** A text is found by its vector, whichever chunk contains it. */
export function checkVectors(check: Check<VectorStore>): void {
  check("keeps the vectors of two embedders apart, and reports how complete each set is", async (store) => {
    const sets = async () => (await store.vectorSets()).map(({ id, missing }) => `${id} ${missing}`).sort();
    await store.put([document("a.md", ["pear", "apple"])], "cut-1");
    assert.deepEqual(await sets(), []);
    await embedAll(store, "old");
    await store.putVectors(named("new"), [{ hash: "hash of pear", vectors: [vectorOf("apple")] }], several);
    assert.deepEqual(await sets(), ["new 1", "old 0"]);
    assert.deepEqual(await similarTo(store, "apple", { embedderId: "old", limit: 1 }), ["apple"]);
    assert.deepEqual(await similarTo(store, "apple", { embedderId: "new" }), ["pear"]);
    assert.deepEqual(await similarTo(store, "apple", { embedderId: "other" }), []);
    assert.deepEqual(await embedAll(store, "new"), ["apple"]);
    assert.deepEqual(await sets(), ["new 0", "old 0"]);
    await store.put([document("b.md", ["plum", "pear"])], "cut-1");
    assert.deepEqual(await sets(), ["new 1", "old 1"]);
    assert.equal((await store.vectorSets())[0]?.provider, named("old").provider);
  });

  check("has none at first, and lists the texts without vectors", async (store) => {
    await store.put(
      [document("a.md", ["pear", "apple", "pear"]), document("b.md", ["plum", "apple"])],
      "cut-1",
    );
    assert.deepEqual(await store.missingVectors("model", 2), [
      { hash: "hash of pear", text: "pear" },
      { hash: "hash of apple", text: "apple" },
    ]);
    assert.deepEqual(
      (await store.missingVectors("model", 100)).map(({ text }) => text),
      ["pear", "apple", "plum"],
    );
    assert.deepEqual(await store.missingVectors("model", 0), []);
    const { texts, missing, missingTokens, sizeBytes, dims } = await store.vectorStatistics("model");
    assert.deepEqual(
      { texts, missing, sizeBytes, dims },
      { texts: 0, missing: 3, sizeBytes: 0, dims: undefined },
    );
    assert.ok(missingTokens >= 3 && missingTokens <= 20, `${missingTokens}`);
    assert.deepEqual(await store.byVector("model", vectorOf("pear"), { limit: 5 }), {
      candidates: [],
      median: 0,
    });
    assert.deepEqual(await store.similarities("model", vectorOf("pear"), [1, 2]), new Map());
  });

  check("lists which of some texts lack vectors, and which others do", async (store) => {
    const words = ["pear", "apple", "pear", "plum", "fig"];
    await store.put([document("a.md", words), document("b.md", ["plum", "quince"])], "cut-1");
    const hashes = (...texts: string[]) => texts.map((text) => `hash of ${text}`);
    const ask = async (limit: number, narrow: NarrowTexts) =>
      (await store.missingVectors("model", limit, narrow)).map(({ text }) => text);
    const except = new Set(hashes("pear", "plum", "gone"));
    assert.deepEqual(await ask(9, { except }), ["apple", "fig", "quince"]);
    assert.deepEqual(await ask(2, { except }), ["apple", "fig"]);
    assert.deepEqual(await ask(9, { except: new Set() }), ["pear", "apple", "plum", "fig", "quince"]);
    assert.deepEqual(await ask(9, { only: hashes("quince", "gone", "pear", "pear") }), ["quince", "pear"]);
    assert.deepEqual(await ask(1, { only: hashes("quince", "pear") }), ["quince"]);
    assert.deepEqual(await ask(9, { only: hashes("pear", "fig"), except }), ["fig"]);
    assert.deepEqual(await ask(9, { only: [] }), []);
    const entries = hashes("fig").map((hash) => ({ hash, vectors: [vectorOf("fig")] }));
    await store.putVectors(named("model"), entries, { vectorsPerText: "one" });
    assert.deepEqual(await ask(9, { only: hashes("pear", "fig") }), ["pear"]);
    assert.deepEqual(await ask(9, { except }), ["apple", "quince"]);
  });

  check("finds the chunk with the best vector, and returns its similarity", async (store) => {
    await store.put([document("a.md", ["red green blue", "red yellow", "black white grey"])], "cut-1");
    assert.deepEqual(await embedAll(store), ["red green blue", "red yellow", "black white grey"]);
    assert.deepEqual(await store.missingVectors("model", 10), []);
    for (const [word, text] of Object.entries({
      blue: "red green blue",
      yellow: "red yellow",
      grey: "black white grey",
    })) {
      assert.deepEqual(await similarTo(store, word), [text]);
    }
    const { candidates, median } = await store.byVector("model", vectorOf("yellow"), { limit: 10 });
    assert.equal(candidates.length, 3);
    assert.ok(candidates[0]!.similarity > 0.8 && candidates[0]!.similarity <= 1);
    assert.ok(candidates[1]!.similarity < 0.6);
    assert.equal(median, candidates[1]!.similarity, "of three, the second is the median");
    const ids = (await store.chunksOf("memory", "a.md")).map(({ id }) => id);
    const similarities = await store.similarities("model", vectorOf("yellow"), [...ids, 12345]);
    assert.deepEqual(similarities, new Map(candidates.map(({ id, similarity }) => [id, similarity])));
    assert.equal((await similarTo(store, "red", { limit: 2 })).length, 2);
    assert.deepEqual(await similarTo(store, "red", { limit: 0 }), []);
    const { texts, missing, dims, sizeBytes } = await store.vectorStatistics("model");
    assert.deepEqual({ texts, missing, dims }, { texts: 3, missing: 0, dims: dimensions });
    assert.ok(sizeBytes > 0);
  });

  check("stores single vectors exactly", async (store) => {
    const words = Array.from({ length: 30 }, (_, index) => `word${index}`);
    await store.put([document("a.md", words)], "cut-1");
    const entries = words.map((word) => ({ hash: `hash of ${word}`, vectors: [vectorOf(word)] }));
    await store.putVectors(named("fine"), entries, one);
    const query = vectorOf("word3").map((value, index) => value + vectorOf("word8")[index]! / 2);
    const { candidates } = await store.byVector("fine", query, { limit: 30 });
    const found = await store.chunks(candidates.map(({ id }) => id));
    assert.equal(found.length, 30);
    assert.deepEqual(
      found.slice(0, 2).map(({ text }) => text),
      ["word3", "word8"],
    );
    for (const [index, { similarity }] of candidates.entries()) {
      assert.ok(Math.abs(similarity - cosine(query, vectorOf(found[index]!.text))) < 1e-6);
    }
  });

  check("never requests a text with nothing to embed again, and never finds it", async (store) => {
    await store.put([document("a.md", ["---", "word"])], "cut-1");
    await store.putVectors(named("model"), [{ hash: "hash of ---", vectors: [] }], several);
    assert.deepEqual(await store.missingVectors("model", 10), [{ hash: "hash of word", text: "word" }]);
    assert.deepEqual(await similarTo(store, "word", { limit: 10 }), []);
    await embedAll(store);
    assert.deepEqual(await similarTo(store, "word", { limit: 10 }), ["word"]);
    const [empty] = await store.chunksOf("memory", "a.md");
    assert.deepEqual(await store.similarities("model", vectorOf("word"), [empty!.id]), new Map());
    assert.deepEqual(await embedAll(store), []);
  });

  check("applies the filter, and takes the median of all", async (store) => {
    await store.put(
      [
        document("MEMORY.md", ["pear private"], { scope: "private" }),
        document("memory/2025-01-01.md", ["pear new"], { date: "2025-01-01" }),
        document("memory/deep/topic.md", ["pear topic"]),
        document("s1", ["pear talk"], { source: "sessions", date: "2025-02-01" }),
      ],
      "cut-1",
    );
    await embedAll(store);
    const ask = async (filter: ChunkFilter) => (await similarTo(store, "pear", { limit: 10, filter })).sort();
    assert.deepEqual(await ask({}), ["pear new", "pear private", "pear talk", "pear topic"]);
    assert.deepEqual(await ask({ source: "sessions" }), ["pear talk"]);
    assert.deepEqual(await ask({ sharedOnly: true }), ["pear new", "pear talk", "pear topic"]);
    assert.deepEqual(await ask({ since: "2025-01-02" }), ["pear talk"]);
    assert.deepEqual(await ask({ pathGlob: "memory/**" }), ["pear new", "pear topic"]);
    assert.deepEqual(await ask({ pathGlob: "none/**" }), []);
    assert.deepEqual(await ask({ paths: ["MEMORY.md", "s1"] }), ["pear private", "pear talk"]);
    assert.deepEqual(await ask({ paths: [] }), []);
    const query = vectorOf("talk");
    const all = await store.byVector("model", query, { limit: 1 });
    const few = await store.byVector("model", query, { limit: 1, filter: { source: "sessions" } });
    assert.equal(few.median, all.median);
    // A document that became private must not be found through cached vectors.
    await store.put([document("memory/deep/topic.md", ["pear topic"], { scope: "private" })], "cut-1");
    assert.deepEqual(await ask({ sharedOnly: true }), ["pear new", "pear talk"]);
  });

  check("follows edits: new texts lack vectors, removed ones are not found", async (store) => {
    await store.put([document("a.md", ["pear", "apple"]), document("b.md", ["plum"])], "cut-1");
    await embedAll(store);
    await store.put([document("a.md", ["pear", "cherry"])], "cut-1");
    assert.deepEqual((await similarTo(store, "apple", { limit: 9 })).sort(), ["pear", "plum"]);
    assert.deepEqual(await embedAll(store), ["cherry"]);
    assert.deepEqual(await similarTo(store, "cherry"), ["cherry"]);
    await store.remove("memory", ["a.md"]);
    assert.deepEqual(await similarTo(store, "cherry", { limit: 9 }), ["plum"]);
    const { texts, missing } = await store.vectorStatistics("model");
    assert.deepEqual({ texts, missing }, { texts: 1, missing: 0 });
  });

  check("finds texts whose vectors came before those of earlier chunks", async (store, fixture) => {
    await using other = await fixture.open();
    await store.put([document("a.md", ["pear", "apple", "plum"]), document("b.md", ["pear"])], "cut-1");
    for (const [word, found] of Object.entries({ plum: 1, pear: 3, apple: 4 })) {
      await store.putVectors(
        named("model"),
        [{ hash: `hash of ${word}`, vectors: [vectorOf(word)] }],
        several,
      );
      assert.equal((await similarTo(other, word, { limit: 9 })).length, found);
      assert.deepEqual(await similarTo(other, word), [word]);
    }
    assert.deepEqual(await store.missingVectors("model", 9), []);
  });

  check("embeds no text twice that is copied, or moved within or between documents", async (store) => {
    await store.put([document("a.md", ["pear", "apple"])], "cut-1");
    await embedAll(store);
    await store.put([document("copy.md", ["apple"])], "cut-1");
    await store.put([document("moved.md", ["pear", "apple"])], "cut-1");
    await store.remove("memory", ["a.md"]);
    // In one change, the text moves to another document and under other headings.
    await store.put([document("moved.md", ["apple"]), document("b.md", ["fig", "pear", "pear"])], "cut-1");
    assert.deepEqual(await embedAll(store), ["fig"]);
    assert.deepEqual((await similarTo(store, "pear", { limit: 2 })).sort(), ["pear", "pear"]);
    assert.deepEqual((await similarTo(store, "apple", { limit: 2 })).sort(), ["apple", "apple"]);
    await store.remove("memory", ["copy.md"]);
    assert.deepEqual(await similarTo(store, "apple"), ["apple"]);
  });

  check("refuses invalid vectors, with all others of the same call", async (store) => {
    await store.put([document("a.md", ["pear", "apple"])], "cut-1");
    const good = vectorOf("pear");
    const bad = [
      Float32Array.of(1, 2),
      new Float32Array(dimensions),
      good.map((value, index) => (index === 9 ? Number.NaN : value)),
      good.map((value, index) => (index === 0 ? Number.POSITIVE_INFINITY : value)),
      new Float32Array(0),
    ];
    for (const vector of bad) {
      const entries = [
        { hash: "hash of pear", vectors: [good] },
        { hash: "hash of apple", vectors: [good, vector] },
      ];
      await assert.rejects(store.putVectors(named("model"), entries, several), { code: "vectors-invalid" });
      await assert.rejects(
        store.putVectors(named("model"), [{ hash: "hash of pear", vectors: [new Float32Array(0)] }], several),
        { code: "vectors-invalid" },
      );
    }
    assert.equal((await store.missingVectors("model", 10)).length, 2);
    await embedAll(store);
    const short = [{ hash: "hash of pear", vectors: [Float32Array.of(1, 2)] }];
    await assert.rejects(store.putVectors(named("model"), short, several), { code: "vectors-invalid" });
    for (const query of bad) {
      await assert.rejects(store.byVector("model", query, { limit: 1 }), { code: "vectors-invalid" });
    }
    assert.deepEqual(await similarTo(store, "apple"), ["apple"]);
  });

  check("skips texts that no chunk contains, and keeps the first vectors of a text", async (store) => {
    await store.put([document("a.md", ["pear"])], "cut-1");
    await store.putVectors(named("model"), [{ hash: "hash of nothing", vectors: [vectorOf("x")] }], several);
    await store.putVectors(named("model"), [], several);
    await embedAll(store);
    await store.putVectors(named("model"), [{ hash: "hash of pear", vectors: [vectorOf("x")] }], several);
    const { candidates } = await store.byVector("model", vectorOf("pear"), { limit: 5 });
    assert.equal(candidates.length, 1);
    assert.ok(candidates[0]!.similarity > 0.8);
  });
}
