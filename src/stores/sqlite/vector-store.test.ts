import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { document, openAt } from "../../../test/support/sqlite-index.ts";
import { makeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { named, one, vectorOf } from "../contract/fixture.ts";
import type { SqliteStoreOptions } from "./sqlite-store.ts";

const dayMs = 24 * 60 * 60 * 1000;
const embedder = named("single");

async function openFixture(t: TestContext, options: Partial<SqliteStoreOptions> = {}) {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  const clock = { ms: 100 * dayMs };
  const store = await openAt(path, { now: () => clock.ms, ...options });
  t.after(() => store[Symbol.asyncDispose]());
  const db = new DatabaseSync(path);
  t.after(() => db.close());
  const query = (sql: string) => db.prepare(sql).all();
  return {
    store,
    clock,
    put: (name: string, texts: readonly string[]) => store.put([document(name, texts)], "cut-1"),
    /** Gives all texts that lack one a vector; returns how many there were. */
    embed: async () => {
      const missing = await store.missingVectors(embedder.id, 10_000);
      const entries = missing.map(({ hash, text }) => ({ hash, vectors: [vectorOf(text)] }));
      await store.putVectors(embedder, entries, one);
      return missing.length;
    },
    cached: () => new Set(query("SELECT hash FROM embedding_cache").map((row) => String(row["hash"]))),
    usedAt: () => query("SELECT used_at FROM embedders")[0]?.["used_at"],
    revision: () => db.prepare("PRAGMA data_version").get()?.["data_version"],
  };
}

const numbered = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${name}${at}`);
const hashesOf = (texts: readonly string[]) => texts.map((text) => `hash of ${text}`);

test("of the vectors that no chunk uses the oldest go, and those in use never", async (t) => {
  const { store, clock, put, embed, cached, revision } = await openFixture(t, { maxCachedVectors: 1500 });
  const [old, used, young] = [numbered("old", 1000), numbered("used", 900), numbered("young", 100)];
  for (const [name, texts] of Object.entries({ old, used, young })) {
    await put(`${name}.md`, texts);
    await embed();
    clock.ms++;
  }
  await store.remove("memory", ["old.md", "young.md"]);
  assert.equal(cached().size, 2000);
  await store.collectGarbage(embedder);
  const left = cached();
  assert.equal(left.size, 1500);
  for (const hash of hashesOf([...used, ...young])) assert.ok(left.has(hash), hash);
  const before = revision();
  await store.collectGarbage(embedder);
  assert.equal(revision(), before, "nothing is written where nothing is to be done");

  await put("more.md", numbered("more", 700));
  await embed();
  await store.collectGarbage(embedder);
  const inUse = hashesOf([...used, ...numbered("more", 700)]);
  assert.deepEqual([...cached()].sort(), inUse.sort(), "too many, but all in use");
});

test("nothing is collected while texts lack vectors", async (t) => {
  const { store, put, embed, cached } = await openFixture(t, { maxCachedVectors: 1 });
  await store.collectGarbage(embedder);
  await put("a.md", ["fig", "kiwi"]);
  await embed();
  await put("a.md", ["fig", "plum"]);
  await store.collectGarbage(embedder);
  assert.equal(cached().size, 2);
  await embed();
  await store.collectGarbage(embedder);
  assert.deepEqual([...cached()].sort(), hashesOf(["fig", "plum"]));
});

test("a search notes once a day that a set is in use, whichever way the clock goes", async (t) => {
  const { store, clock, put, embed, usedAt } = await openFixture(t);
  await put("a.md", ["fig"]);
  await embed();
  const start = clock.ms;
  const searchAt = async (ms: number) => {
    clock.ms = start + ms;
    await store.byVector(embedder.id, vectorOf("fig"), { limit: 1 });
    // Writes are made in their order, so the note of the search is before this one.
    await store.writeFact("waited", "for");
    return Number(usedAt()) - start;
  };
  assert.equal(await searchAt(0), 0);
  assert.equal(await searchAt(dayMs - 1), 0);
  assert.equal(await searchAt(dayMs), dayMs);
  assert.equal(await searchAt(2 * dayMs - 1), dayMs);
  assert.equal(await searchAt(2 * dayMs), 2 * dayMs);
  assert.equal(await searchAt(5), 5, "the clock was set back");
  await store.collectGarbage(embedder);
  assert.equal(Number(usedAt()) - start, 5);
  clock.ms = start + 5 + dayMs;
  await store.collectGarbage(embedder);
  assert.equal(Number(usedAt()) - start, 5 + dayMs);
});

test("cached vectors come back to the texts that lack them, all or those that are asked for", async (t) => {
  const { store, put, embed } = await openFixture(t);
  const texts = numbered("word", 900);
  await put("a.md", texts);
  assert.equal(await store.reuseVectors(embedder), 0);
  assert.equal(await embed(), 900);
  await store.remove("memory", ["a.md"]);
  const exported: number[] = [];
  for await (const entries of store.exportVectors(embedder)) exported.push(entries.length);
  assert.deepEqual(exported, [400, 400, 100]);
  for await (const _ of store.exportVectors(named("other"))) assert.fail("another embedder has none");

  assert.equal(await store.reuseVectors(embedder, { only: hashesOf(["word1"]) }), 0, "in no chunk");
  await put("b.md", [...texts, "new"]);
  // Chunks with the same text, and their vectors, were deleted with the note.
  assert.equal((await store.missingVectors(embedder.id, 10_000)).length, 901);
  assert.equal(await store.reuseVectors(embedder, { only: hashesOf(["new"]) }), 0);
  assert.equal(await store.reuseVectors(embedder, { only: hashesOf(["new", "word1", "word2"]) }), 2);
  assert.equal(await store.reuseVectors(embedder, { only: hashesOf(["word1", "word3"]) }), 1);
  assert.equal(await store.reuseVectors(embedder), 897);
  assert.deepEqual(
    (await store.missingVectors(embedder.id, 9)).map(({ text }) => text),
    ["new"],
  );
});
