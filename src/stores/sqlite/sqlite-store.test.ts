import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { document, openAt } from "../../../test/support/sqlite-index.ts";
import { makeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { fileSystemKind } from "../../file-system-kind.ts";
import { embedSingly, named } from "../contract/fixture.ts";
import type { Repair } from "../quarantined.ts";
import { contractTokens, storeContract } from "../store.contract.ts";
import type { FullStore } from "../store.ts";
import { openSqliteStore, type SqliteStoreOptions } from "./sqlite-store.ts";

storeContract("SQLite", {
  create: async () => {
    const folder = await mkdtemp(join(tmpdir(), "longhand-store-"));
    return {
      open: (options) =>
        openSqliteStore({
          ...options,
          path: join(folder, "deep", "index.sqlite"),
          analyzerId: "contract",
          tokens: ({ text }) => ({ body: contractTokens(text).join(" "), head: "" }),
        }),
      [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
    };
  },
});

/** An analyzer that counts its calls, because analyzing is most of the work. */
function createCounted(prefix = "") {
  const counted = { calls: 0 };
  const tokens: SqliteStoreOptions["tokens"] = ({ text }) => {
    counted.calls++;
    return {
      body: contractTokens(text)
        .map((word) => prefix + word)
        .join(" "),
      head: "",
    };
  };
  return { counted, tokens };
}

test("chunks are analyzed once, and again only for another analyzer or when words are missing", async (t) => {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  const { counted, tokens } = createCounted();
  const analyzedWhile = async (work: () => Promise<void>) => {
    const before = counted.calls;
    await work();
    return counted.calls - before;
  };
  const reopen = (options: Partial<SqliteStoreOptions> = {}) =>
    analyzedWhile(async () => {
      await using store = await openAt(path, { tokens, ...options });
      await store.versions("memory");
    });
  const first = await analyzedWhile(async () => {
    await using store = await openAt(path, { tokens });
    await store.put([document("a.md", ["fig", "kiwi"])], "cut-1");
  });
  assert.equal(first, 2);
  assert.equal(await reopen(), 0);
  assert.equal(await reopen({ owner: "alice" }), 0, "to claim an index is no reason");
  assert.equal(await reopen({ owner: "alice", analyzerId: "another" }), 2);
  assert.equal(await reopen({ analyzerId: "another" }), 0);
  {
    using db = new DatabaseSync(path);
    db.exec("DELETE FROM chunks_fts WHERE rowid = (SELECT max(key) FROM chunks)");
  }
  assert.equal(await reopen({ analyzerId: "another" }), 2);
  assert.equal(await reopen({ analyzerId: "another" }), 0);
});

test("after a change of the analyzer, asking for versions is enough to rebuild the tokens", async (t) => {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  await using older = await openAt(path);
  await older.put([document("a.md", ["fig"])], "cut-1");
  await using newer = await openAt(path, { analyzerId: "new", tokens: createCounted("new-").tokens });
  assert.equal((await newer.versions("memory")).size, 1);
  assert.deepEqual([...(await newer.documentFrequencies(["new-fig", "fig"])).values()], [1, 0]);
  await assert.rejects(older.put([document("b.md", ["fig"])], "cut-1"), {
    code: "index-newer",
    message: /another longhand now uses it/,
  });
});

test("an index belongs to the first agent that uses it; a reader without a name may read any", async (t) => {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  const ownerOf = async (store: FullStore) => (await store.describe()).meta["owner"];
  await using nobody = await openAt(path);
  await nobody.put([document("a.md", ["fig"])], "cut-1");
  assert.equal(await ownerOf(nobody), "");
  await using alice = await openAt(path, { owner: "alice" });
  await using bob = await openAt(path, { owner: "bob" });
  await alice.versions("memory");
  assert.equal(await ownerOf(nobody), "alice");
  const refused = { code: "index-shared", message: /for the agent bob: it is that of the agent alice/ };
  await assert.rejects(bob.versions("memory"), refused, "both had it open before it was claimed");
  await assert.rejects(bob.put([document("b.md", ["kiwi"])], "cut-1"), refused);
  await assert.rejects(openAt(path, { owner: "bob" }), refused);
  await nobody.put([document("b.md", ["kiwi"])], "cut-1");
  await using again = await openAt(path, { owner: "alice" });
  assert.equal((await again.versions("memory")).size, 2);
  assert.equal(await ownerOf(again), "alice");
});

test("the metadata says how the documents were chunked", async (t) => {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  const describe = async (store: FullStore) => {
    const { analyzer, chunker, chunkTokens, chunkOverlap, sources } = (await store.describe()).meta;
    return { analyzer, chunker, chunkTokens, chunkOverlap, sources };
  };
  await using store = await openAt(path);
  await store.put([document("a.md", ["fig"])], "cut-1");
  const made = { analyzer: "blanks", chunker: "cut-1", chunkTokens: 0, chunkOverlap: 0, sources: ["memory"] };
  assert.deepEqual(await describe(store), made);
  await using other = await openAt(path, { chunking: { tokens: 400, overlap: 80 } });
  await other.put([document("b.md", ["fig"])], "cut-2");
  assert.deepEqual(await describe(store), { ...made, chunker: "cut-2", chunkTokens: 400, chunkOverlap: 80 });
});

test("statistics add up all sources, and name what was quarantined", async (t) => {
  const path = makeTemporaryFolder(t).at("main.longhand.sqlite");
  const told: Repair[] = [];
  {
    await using store = await openAt(path, { onRepair: (repair) => told.push(repair) });
    const empty = await store.stats();
    assert.deepEqual([empty.files, empty.chunks, empty.sources], [0, 0, []]);
    const talk = document("talk", ["fig"]);
    await store.put(
      [
        document("a.md", ["fig", "kiwi"]),
        document("b.md", ["plum"]),
        { ...talk, document: { ...talk.document, source: "sessions" } },
      ],
      "cut-1",
    );
    const { sizeBytes, sources, ...rest } = await store.stats();
    assert.deepEqual(rest, { files: 3, chunks: 4, keyword: { available: true } });
    assert.deepEqual(
      [...sources].sort((a, b) => (a.source < b.source ? -1 : 1)),
      [
        { source: "memory", files: 2, chunks: 3 },
        { source: "sessions", files: 1, chunks: 1 },
      ],
    );
    const { databaseBytes, walBytes } = (await store.describe()).sizes;
    assert.equal(sizeBytes, databaseBytes + walBytes);
    assert.ok(databaseBytes > 0);
    assert.equal(walBytes > 0, fileSystemKind(path) !== "remote", "a network share has no write-ahead log");
    assert.deepEqual(await store.repair(), []);
  }
  writeFileSync(path, Buffer.alloc(20_000, 0xfe));
  await using store = await openAt(path, { onRepair: (repair) => told.push(repair) });
  const { quarantined, files } = await store.stats();
  assert.equal(files, 0);
  assert.deepEqual(quarantined, told);
  assert.equal(told[0]?.movedTo, `${path}.corrupt-1`);
});

test("by default a write waits for another one, vectors outlive their chunks, and are coded by bytes", async (t) => {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  await using store = await openAt(path);
  await store.put([document("a.md", ["fig", "kiwi"])], "cut-1");
  await embedSingly(store);
  using db = new DatabaseSync(path);
  assert.deepEqual(
    db
      .prepare("SELECT coding FROM embedders")
      .all()
      .map((row) => row["coding"]),
    ["bytes"],
  );
  db.exec("BEGIN IMMEDIATE");
  const removing = store.remove("memory", ["a.md"]);
  setTimeout(() => db.exec("ROLLBACK"), 50);
  assert.deepEqual(await removing, []);
  await store.collectGarbage(named("single"));
  assert.equal((await store.vectorStatistics("single")).cacheEntries, 2);
});

test("facts are kept under their own keys, and never confused with metadata", async (t) => {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  await using store = await openAt(path);
  assert.equal(await store.readFact("last"), null);
  await store.writeFact("last", "today");
  await store.writeFact("memory_index_meta_v1", "no JSON");
  await store.put([document("a.md", ["fig"])], "cut-1");
  assert.equal(await store.readFact("last"), "today");
  await using again = await openAt(path);
  assert.equal(await again.readFact("memory_index_meta_v1"), "no JSON");
});
