import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { suite, type TestContext, test } from "node:test";
import fc from "fast-check";
import { document, openAt } from "../../../test/support/sqlite-index.ts";
import { makeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { cosine, embedSingly, named, similarTo, vectorOf } from "../contract/fixture.ts";
import type { FullStore } from "../store.ts";
import { chooseRetired } from "../vectors/vector-set.ts";
import { DamagedVectors } from "./sqlite-failure.ts";
import { chooseCoding, type EmbedderRow, prepareListEmbedders } from "./vector-sets.ts";

async function setUp(t: TestContext) {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  const [store, other] = [await openAt(path, { maxBytesCoded: 100 }), await openAt(path)];
  t.after(async () => {
    await store[Symbol.asyncDispose]();
    await other[Symbol.asyncDispose]();
  });
  const look = <T>(work: (db: DatabaseSync) => T): T => {
    const db = new DatabaseSync(path);
    try {
      return work(db);
    } finally {
      db.close();
    }
  };
  const codingOf = () => look((db) => db.prepare("SELECT coding FROM embedders").get()?.["coding"]);
  return { path, store, other, look, codingOf };
}

const numbered = (count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, index) => `word${from + index}`);

async function checkExact(store: FullStore, word: string, count: number): Promise<void> {
  const { candidates } = await store.byVector("single", vectorOf(word), { limit: count });
  assert.equal(candidates.length, count);
  const found = await store.chunks(candidates.map(({ id }) => id));
  assert.equal(found[0]?.text, word);
  for (const [index, { similarity }] of candidates.entries()) {
    assert.ok(Math.abs(similarity - cosine(vectorOf(word), vectorOf(found[index]!.text))) < 1e-6);
  }
  const ids = candidates.map(({ id }) => id);
  assert.deepEqual(
    await store.similarities("single", vectorOf(word), ids),
    new Map(candidates.map(({ id, similarity }) => [id, similarity])),
  );
}

suite("a set of vectors", () => {
  test("is coded by signs when the index has grown, and by bytes when it has shrunk", async (t) => {
    const { store, other, codingOf } = await setUp(t);
    await store.put([document("a.md", ["---", ...numbered(79)])], "cut-1");
    await store.putVectors(named("single"), [{ hash: "hash of ---", vectors: [] }], {
      vectorsPerText: "one",
    });
    await embedSingly(store);
    assert.equal(codingOf(), "bytes");
    await checkExact(other, "word7", 79);
    await store.put([document("b.md", numbered(60, 100))], "cut-1");
    assert.equal((await embedSingly(store)).length, 60);
    assert.equal(codingOf(), "centred");
    for (const each of [store, other]) await checkExact(each, "word130", 139);
    assert.deepEqual(await other.missingVectors("single", 9), []);
    // Later vectors are coded in the same way, and found by processes that have the others in memory.
    await store.put([document("c.md", ["late"])], "cut-1");
    await embedSingly(store);
    assert.equal(codingOf(), "centred");
    assert.deepEqual(await similarTo(other, "late", { embedderId: "single" }), ["late"]);
    await store.put([document("a.md", numbered(5)), document("b.md", [])], "cut-1");
    assert.deepEqual(await embedSingly(store), []);
    assert.equal(codingOf(), "bytes");
    for (const each of [store, other]) await checkExact(each, "word3", 6);
  });

  test("gives the most similar of all, although signs only estimate the similarity", async (t) => {
    const { store, codingOf } = await setUp(t);
    const words = numbered(140);
    await store.put([document("a.md", words)], "cut-1");
    await embedSingly(store);
    assert.equal(codingOf(), "centred");
    for (const word of words.slice(0, 10)) {
      const distance = (each: string): number => -cosine(vectorOf(word), vectorOf(each));
      const expected = words.toSorted((a, b) => distance(a) - distance(b)).slice(0, 5);
      assert.deepEqual(await similarTo(store, word, { embedderId: "single", limit: 5 }), expected);
    }
  });

  test("requests texts again whose exact vector was deleted, and answers meanwhile", async (t) => {
    const { store, codingOf, look } = await setUp(t);
    await store.put([document("a.md", numbered(60))], "cut-1");
    await embedSingly(store);
    look((db) => db.exec("DELETE FROM embedding_cache WHERE hash = 'hash of word7'"));
    assert.deepEqual(await similarTo(store, "word7", { embedderId: "single" }), ["word7"]);
    await store.put([document("b.md", numbered(60, 100))], "cut-1");
    await embedSingly(store);
    assert.equal(codingOf(), "centred");
    assert.deepEqual(await embedSingly(store), ["word7"]);
    await checkExact(store, "word7", 120);
  });

  test("is described in the index: who made it and how documents were cut", async (t) => {
    const path = makeTemporaryFolder(t).at("index.sqlite");
    {
      await using store = await openAt(path, { chunking: { tokens: 400, overlap: 80 } });
      await store.put([document("a.md", ["pear"])], "cut-1");
      await embedSingly(store);
    }
    const db = new DatabaseSync(path);
    const row = db.prepare("SELECT value FROM meta WHERE key = 'memory_index_meta_v1'").get();
    const meta = JSON.parse(row?.["value"] as string);
    const [cached] = db.prepare("SELECT * FROM embedding_cache").all();
    db.close();
    assert.match(meta.providerKey, /^[0-9a-f]{64}$/);
    const expected = {
      provider: "test",
      model: "model of single",
      providerKey: cached!["provider_key"],
      chunker: "cut-1",
      chunkTokens: 400,
      chunkOverlap: 80,
      vectorDims: 64,
      sources: ["memory"],
      schemaVersion: meta.schemaVersion,
      analyzer: "blanks",
    };
    assert.partialDeepStrictEqual(meta, expected);
    assert.equal((cached!["embedding"] as Uint8Array).length, 4 * 64);
    const floats = new Float32Array((cached!["embedding"] as Uint8Array).slice().buffer);
    assert.ok(Math.abs(Math.hypot(...floats) - 1) < 1e-6);
  });

  test("keeps paid vectors and their cost through a change of the schema", async (t) => {
    const path = makeTemporaryFolder(t).at("index.sqlite");
    const usage = { requests: 1, tokens: 2, texts: 1, costUsd: 0.5 };
    {
      await using store = await openAt(path);
      await store.put([document("a.md", ["pear", "apple"])], "cut-1");
      await embedSingly(store);
      await store.addUsage("single", usage);
    }
    const db = new DatabaseSync(path);
    db.exec("PRAGMA user_version = 1");
    db.close();
    await using store = await openAt(path);
    assert.equal((await store.stats()).chunks, 0);
    await store.put([document("a.md", ["pear", "apple"])], "cut-1");
    assert.deepEqual(await embedSingly(store), []);
    assert.deepEqual(await similarTo(store, "pear", { embedderId: "single" }), ["pear"]);
    assert.deepEqual((await store.vectorStatistics("single")).usage, usage);
  });
});

test("the least recently used sets are dropped, and never the one in use", () => {
  const day = fc.nat(20).map((days) => days * 24 * 3600 * 1000);
  const weekMs = 7 * 24 * 3600 * 1000;
  const set = fc.record({ name: fc.constantFrom("a", "b", "c", "d", "e"), used_at: day });
  const sets = fc.uniqueArray(set, { selector: ({ name }) => name });
  const holds = fc.property(sets, day, (rows, nowMs) => {
    const all = rows as unknown as EmbedderRow[];
    const gone = new Set(chooseRetired(all, "a", nowMs).map(({ name }) => name));
    const kept = all.filter(({ name }) => name !== "a" && !gone.has(name));
    assert.ok(!gone.has("a"));
    assert.ok(kept.length <= 2);
    for (const { used_at } of kept) assert.ok(Math.abs(nowMs - used_at) <= weekMs);
    for (const other of all.filter(({ name }) => gone.has(name))) {
      const isIdle = Math.abs(nowMs - other.used_at) > weekMs;
      const later = all.filter(({ name, used_at }) => name !== "a" && used_at >= other.used_at);
      assert.ok(isIdle || later.length > 2);
    }
  });
  fc.assert(holds, { seed: 9 });
});

test("a set changes its coding only beyond the limit, and back below half of it", () => {
  const set = { vectors_per_text: "one", dims: 1, coding: "kept" } as unknown as EmbedderRow;
  const codings = [49, 50, 100, 101].map((chunks) => chooseCoding(set, chunks, 100));
  assert.deepEqual(codings, ["bytes", "kept", "kept", "centred"]);
  for (const chunks of [1, 1000]) {
    assert.equal(chooseCoding({ ...set, vectors_per_text: "several" }, chunks, 100), "kept");
    assert.equal(chooseCoding({ ...set, dims: 0 }, chunks, 100), "kept");
  }
});

test("a row with an unknown coding, or one that does not match its centre, is damage", () => {
  const db = new DatabaseSync(":memory:");
  db.exec("CREATE TABLE embedders (id INTEGER PRIMARY KEY, dims, coding, centre)");
  const list = prepareListEmbedders(db);
  const read = (coding: string, centre: Uint8Array | string | null) => {
    db.exec("DELETE FROM embedders");
    db.prepare("INSERT INTO embedders VALUES (1, 2, ?, ?)").run(coding, centre);
    return list()[0]!.centre;
  };
  const blob = new Uint8Array(new Float32Array([1, 2]).buffer);
  assert.deepEqual(read("centred", blob), new Float32Array([1, 2]));
  assert.equal(read("bytes", null), null);
  for (const [coding, centre] of [
    ["centred", null],
    ["centred", "text"],
    ["centred", blob.subarray(4)],
    ["bytes", blob],
    ["toString", null],
  ] as const)
    assert.throws(() => read(coding, centre), DamagedVectors, coding);
});

test("the statistics of an embedder without vectors are all zero", async (t) => {
  const { store } = await setUp(t);
  await store.put([document("a.md", numbered(3))], "cut-1");
  await embedSingly(store);
  const { texts, missing, dims, sizeBytes } = await store.vectorStatistics("other");
  assert.deepEqual(
    { texts, missing, dims, sizeBytes },
    { texts: 0, missing: 3, dims: undefined, sizeBytes: 0 },
  );
  assert.equal((await store.vectorStatistics("single")).dims, 64);
});
