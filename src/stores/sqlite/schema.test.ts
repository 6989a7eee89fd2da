import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { document, openAt } from "../../../test/support/sqlite-index.ts";
import { makeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { createSlices } from "../../timing.ts";
import { prepareReading } from "./read.ts";
import { readSchemaState, writeSchema } from "./schema.ts";
import { prepareWriting } from "./write.ts";

/** The names that people rely on when they look inside. */
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

test("the id of a chunk is what the documented hash is made of", async (t) => {
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

test("without FTS5 everything but the words is kept", async () => {
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
