import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { document, openAt } from "../../../test/support/sqlite-index.ts";
import { makeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { createSlices } from "../../timing.ts";
import { settleSchema } from "./connection.ts";
import { prepareReading } from "./read.ts";
import {
  hasOurTables,
  isNewerSchema,
  readSchemaState,
  recreateFullText,
  schemaVersion,
  writeSchema,
} from "./schema.ts";
import { prepareWriting } from "./write.ts";

/** Names that users rely on when they inspect the file. */
const documented: Record<string, string[]> = {
  meta: ["key", "value"],
  files: ["path", "source", "hash", "mtime", "size"],
  chunks: [
    "id",
    "path",
    "source",
    "start_line",
    "end_line",
    "hash",
    "model",
    "text",
    "headings",
    "updated_at",
  ],
  embedding_cache: ["provider", "model", "provider_key", "hash", "embedding", "dims", "updated_at"],
  chunks_fts: [],
  chunks_vec: ["embedder", "key", "codes"],
};

test("tables and columns have their documented names", () => {
  const db = new DatabaseSync(":memory:");
  writeSchema(db, { fullText: true });
  assert.equal(readSchemaState(db, { fullText: true }), "ready");
  for (const [table, columns] of Object.entries(documented)) {
    const found = db.prepare("SELECT name FROM pragma_table_info(?)").all(table);
    const names = new Set(found.map((row) => row["name"]));
    assert.ok(names.size > 0, table);
    for (const column of columns) assert.ok(names.has(column), `${table}.${column}`);
  }
});

test("the id of a chunk is the input of the documented hash", async (t) => {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  {
    await using store = await openAt(path);
    await store.put([document("memory/a.md", ["alpha", "beta"])], "cut-1");
    await store.put([document("memory/a.md", ["new", "alpha", "beta"])], "cut-1");
  }
  const db = new DatabaseSync(path);
  const rows = db.prepare("SELECT id, start_line FROM chunks ORDER BY position").all();
  db.close();
  const expected = ["new", "alpha", "beta"].map((text, index) => {
    const parts = `memory:memory/a.md:${index + 1}:${index + 1}:hash of ${text}:`;
    return { id: parts, start_line: index + 1 };
  });
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    expected,
  );
});

test("text that was replaced or removed is no longer in the file", async (t) => {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  {
    await using store = await openAt(path);
    for (let round = 0; round < 30; round++) {
      await store.put(
        [document(`${round}.md`, [`Secret-${round} stands in this sentence. `.repeat(round)])],
        "cut-1",
      );
    }
    for (let round = 0; round < 15; round++)
      await store.put([document(`${round}.md`, ["harmless"])], "cut-1");
    await store.remove(
      "memory",
      Array.from({ length: 15 }, (_, index) => `${index + 15}.md`),
    );
  }
  assert.ok(!readFileSync(path).includes("stands in this sentence"));
});

test("without FTS5 everything but keyword search works", async () => {
  const db = new DatabaseSync(":memory:");
  writeSchema(db, { fullText: false });
  assert.equal(readSchemaState(db, { fullText: false }), "ready");
  assert.equal(readSchemaState(db, { fullText: true }), "outdated");
  const writing = prepareWriting(db, null, () => 0);
  await writing.put([document("a.md", ["alpha", "beta"])], "cut-1", { slices: createSlices(10) });
  const reading = prepareReading(db);
  assert.deepEqual(
    reading.chunksOf("memory", "a.md").map((chunk) => chunk.text),
    ["alpha", "beta"],
  );
  assert.deepEqual(reading.counts(), [{ source: "memory", files: 1, chunks: 2 }]);
});

test("a newer or a foreign database is not altered, not even its journal mode", (t) => {
  const folder = makeTemporaryFolder(t);
  for (const [name, sql] of [
    ["newer", "PRAGMA user_version = 9999"],
    ["foreign", "PRAGMA application_id = 7; CREATE TABLE theirs (a)"],
  ] as const) {
    const db = new DatabaseSync(folder.at(name));
    t.after(() => db.close());
    if (name === "newer") writeSchema(db, { fullText: true });
    db.exec(sql);
    const before = readFileSync(folder.at(name));
    assert.equal(settleSchema(db, { fullText: true }), name);
    assert.deepEqual(readFileSync(folder.at(name)), before);
    assert.equal(db.prepare("PRAGMA journal_mode").get()?.["journal_mode"], "delete");
  }
});

test("a document without a valid time has none, and a write that was refused changes no state", async (t) => {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  await using store = await openAt(path);
  const { document: head, chunks } = document("a.md", ["fig"]);
  const early = await store.documentState!();
  await store.put([{ document: { ...head, modifiedAt: new Date(Number.NaN) }, chunks }], "cut-1");
  const db = new DatabaseSync(path);
  t.after(() => db.close());
  const mtime = () => db.prepare("SELECT mtime FROM files").get()?.["mtime"];
  assert.equal(mtime(), 0);
  await store.put([{ document: { ...head, modifiedAt: new Date(1999.9) }, chunks }], "cut-1");
  assert.equal(mtime(), 1999);

  const state = await store.documentState!();
  assert.deepEqual(await store.touch("memory", new Map([["a.md", "2"]]), { asOf: early }), ["a.md"]);
  assert.deepEqual(await store.remove("memory", ["a.md"], { asOf: early }), ["a.md"]);
  assert.deepEqual(await store.remove("memory", ["none.md"], { asOf: state }), []);
  assert.deepEqual(await store.remove("memory", []), []);
  await store.touch("memory", new Map());
  assert.equal(await store.documentState!(), state);
  assert.deepEqual(
    await store.touch(
      "memory",
      new Map([
        ["a.md", "2"],
        ["none.md", "2"],
      ]),
      { asOf: state },
    ),
    ["none.md"],
  );
  assert.notEqual(await store.documentState!(), state);
  const touched = await store.documentState!();
  await store.remove("memory", ["none.md"]);
  assert.notEqual(await store.documentState!(), touched, "earlier readers must read again");
});

test("the state of a schema follows from its id, its version and its tables", () => {
  const state = (sql = "", fullText = true) => {
    const db = new DatabaseSync(":memory:");
    if (sql !== "empty") writeSchema(db, { fullText });
    if (sql !== "empty") db.exec(sql);
    return [readSchemaState(db, { fullText: true }), isNewerSchema(db), hasOurTables(db)];
  };
  assert.deepEqual(state(), ["ready", false, true]);
  assert.deepEqual(state("empty"), ["empty", false, false]);
  assert.deepEqual(state("PRAGMA application_id = 0"), ["foreign", false, true]);
  assert.deepEqual(state(`PRAGMA user_version = ${schemaVersion + 1}`), ["newer", true, true]);
  assert.deepEqual(state(`PRAGMA user_version = ${schemaVersion - 1}`), ["outdated", false, true]);
  assert.deepEqual(state("", false), ["outdated", false, true]);
  assert.deepEqual(state("DROP TABLE chunks_gone"), ["outdated", false, false]);
  const closed = new DatabaseSync(":memory:");
  closed.close();
  assert.equal(isNewerSchema(closed), false, "what cannot be read is damaged rather than newer");
});

test("a sound index is opened while another process writes, a new one waits for its turn", (t) => {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  const [writer, other] = [new DatabaseSync(path), new DatabaseSync(path)];
  t.after(() => {
    writer.close();
    other.close();
  });
  const schema = { fullText: true };
  assert.equal(settleSchema(writer, schema), "ready");
  assert.equal(settleSchema(other, schema), "ready");
  writer.exec("BEGIN IMMEDIATE");
  assert.equal(settleSchema(other, schema), "ready");
  writer.exec("DROP TABLE chunks_gone; COMMIT; BEGIN IMMEDIATE");
  other.exec("PRAGMA busy_timeout = 1");
  assert.throws(() => settleSchema(other, schema), /locked/);
  assert.equal(other.isTransaction, false);
  writer.exec("COMMIT");
  assert.equal(settleSchema(other, schema), "ready");
});

test("the full-text index gathers four megabytes of terms before it writes a segment", () => {
  const db = new DatabaseSync(":memory:");
  const hashSize = () => db.prepare("SELECT v FROM chunks_fts_config WHERE k = 'hashsize'").get()?.["v"];
  writeSchema(db, { fullText: true });
  assert.equal(hashSize(), 4 * 1024 * 1024);
  recreateFullText(db);
  assert.equal(hashSize(), 4 * 1024 * 1024);
});
