import assert from "node:assert/strict";
import { closeSync, openSync, readdirSync, readlinkSync, statSync, writeSync } from "node:fs";
import sqlite, { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { document, openAt } from "../../../test/support/sqlite-index.ts";
import { makeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { sha256 } from "../../text/hash.ts";
import { createSlices } from "../../timing.ts";
import { named, one, vectorOf } from "../contract/fixture.ts";
import { salvageCache } from "./salvage-cache.ts";
import { writeSchema } from "./schema.ts";

function createEmpty(): DatabaseSync {
  const db = new DatabaseSync(":memory:");
  writeSchema(db, { fullText: true });
  return db;
}

const countOf = (db: DatabaseSync): unknown =>
  db.prepare("SELECT count(*) AS count FROM embedding_cache").get()?.["count"];

async function writeCache(path: string, count: number): Promise<void> {
  await using store = await openAt(path);
  const entries = Array.from({ length: count }, (_, index) => ({
    hash: sha256(`${index}`),
    vectors: [vectorOf(`${index}`)],
  }));
  // Vectors are stored for texts of a chunk, and outlive the chunk.
  const { chunks, ...rest } = document(
    "cached.md",
    entries.map((_, index) => `${index}`),
  );
  const held = chunks.map((chunk, index) => ({ ...chunk, hash: entries[index]!.hash }));
  await store.put([{ ...rest, chunks: held }], "cut-1");
  await store.putVectors(named("single"), entries, one);
  await store.remove("memory", ["cached.md"]);
}

test("the readable vectors of a damaged index are copied", async (t) => {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  await writeCache(path, 1500);
  const whole = createEmpty();
  assert.equal(await salvageCache(sqlite, path, whole, createSlices(12)), 1500);
  assert.equal(await salvageCache(sqlite, path, whole, createSlices(12)), 0, "none twice");
  const file = openSync(path, "r+");
  writeSync(file, new Uint8Array(40_000).fill(7), 0, 40_000, Math.floor(statSync(path).size * 0.6));
  closeSync(file);
  const part = createEmpty();
  const taken = await salvageCache(sqlite, path, part, createSlices(12));
  assert.ok(taken > 100 && taken < 1500, `${taken}`);
  const rows = (db: DatabaseSync) =>
    new Map(
      db
        .prepare("SELECT hash, embedding FROM embedding_cache")
        .all()
        .map((row) => [row["hash"], row["embedding"]]),
    );
  const all = rows(whole);
  for (const [hash, embedding] of rows(part)) assert.deepEqual(embedding, all.get(hash));
});

test("rows that we cannot have written are left out", async (t) => {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  const damage = [
    "SET provider = x'00'",
    "SET model = x'00'",
    "SET provider_key = 'text'",
    "SET updated_at = 'text'",
    "SET dims = 0, embedding = x''",
    "SET dims = 'text'",
    "SET hash = upper(hash) || 'A'",
    // Every number is finite, but the length is not 1.
    `SET embedding = x'${Buffer.from(new Float32Array(64).fill(0.5).buffer).toString("hex")}'`,
    "SET embedding = substr(embedding, 5)",
    "SET embedding = zeroblob(256)",
    "SET hash = 'text'",
    "SET dims = 63",
    "SET embedding = 'text'",
  ];
  await writeCache(path, damage.length + 1);
  const db = new DatabaseSync(path);
  for (const [index, change] of damage.entries()) {
    db.exec(`UPDATE embedding_cache ${change} WHERE rowid = ${index + 1}`);
  }
  db.close();
  const into = createEmpty();
  assert.equal(await salvageCache(sqlite, path, into, createSlices(12)), 1);
  assert.equal(countOf(into), 1);
});

test("a file that is not an index gives nothing", async (t) => {
  const folder = makeTemporaryFolder(t);
  const into = createEmpty();
  assert.equal(await salvageCache(sqlite, folder.at("missing.sqlite"), into, createSlices(12)), 0);
  const other = new DatabaseSync(folder.at("other.sqlite"));
  other.exec("CREATE TABLE embedding_cache (a)");
  other.close();
  assert.equal(await salvageCache(sqlite, folder.at("other.sqlite"), into, createSlices(12)), 0);
});

test("a file that was read is closed again, also one that is damaged", {
  skip: process.platform !== "linux" && "only Linux lists the open files of a process",
}, async (t) => {
  const folder = makeTemporaryFolder(t);
  const openFiles = () =>
    readdirSync("/proc/self/fd").filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder.dir);
      } catch {
        // The descriptor of this very listing is closed by now.
        return false;
      }
    });
  await writeCache(folder.at("index.sqlite"), 3);
  folder.write("damaged.sqlite", "SQLite format 3\0 and nothing more");
  for (const [name, taken] of [
    ["index.sqlite", 3],
    ["damaged.sqlite", 0],
  ] as const) {
    assert.equal(await salvageCache(sqlite, folder.at(name), createEmpty(), createSlices(12)), taken);
    assert.deepEqual(openFiles(), [], name);
  }
});
