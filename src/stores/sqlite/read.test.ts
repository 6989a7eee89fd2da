import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { document } from "../../../test/support/sqlite-index.ts";
import { createSlices } from "../../timing.ts";
import { parseHeadings, prepareDocumentWrites, prepareReading } from "./read.ts";
import { writeSchema } from "./schema.ts";
import { DamagedContent } from "./sqlite-failure.ts";
import { prepareWriting } from "./write.ts";

async function openFixture(paths: Record<string, readonly string[]>) {
  const db = new DatabaseSync(":memory:");
  writeSchema(db, { fullText: true });
  const writing = prepareWriting(db, null, () => 0);
  const put = async (...documents: ReturnType<typeof document>[]) => {
    await writing.put(documents, "cut-1", { slices: createSlices(10) });
  };
  await put(...Object.entries(paths).map(([path, chunks]) => document(path, chunks)));
  return { db, put, writing, reading: prepareReading(db) };
}

const textsOf = (chunks: readonly { text: string }[]) => chunks.map(({ text }) => text);

test("chunks come in the order of their ids, or of their document, without those that are missing", async () => {
  const { reading } = await openFixture({ "a.md": ["one", "two", "three"], "b.md": ["four"] });
  const [one, two, three] = reading.chunksOf("memory", "a.md").map(({ id }) => id);
  assert.deepEqual(textsOf(reading.chunks([three!, 999, one!, two!])), ["three", "one", "two"]);
  assert.deepEqual(reading.chunks([]), []);
  assert.deepEqual(textsOf(reading.chunksOf("memory", "a.md", 2)), ["two", "three"]);
  assert.deepEqual(textsOf(reading.chunksOf("memory", "a.md", 1)), ["one", "two", "three"]);
  assert.deepEqual(textsOf(reading.chunksOf("memory", "a.md", 4)), []);
  assert.deepEqual(reading.chunksOf("memory", "none.md"), []);
});

test("versions and counts are read again when documents change, and only then", async () => {
  const { db, put, reading } = await openFixture({ "a.md": ["one", "two"], "b.md": ["three"] });
  const versions = reading.versions("memory");
  const counts = reading.counts();
  assert.deepEqual([...versions.keys()], ["a.md", "b.md"]);
  assert.deepEqual(versions.get("a.md"), reading.versionsOf("memory", ["a.md"]).get("a.md"));
  assert.deepEqual(counts, [{ source: "memory", files: 2, chunks: 3 }]);
  db.exec("UPDATE files SET version = 'x' WHERE path = 'a.md'");
  assert.equal(reading.versions("memory"), versions);
  assert.equal(reading.counts(), counts);
  assert.equal(reading.versionsOf("memory", ["a.md", "none.md"]).size, 1);
  await put(document("c.md", ["four"]));
  assert.deepEqual([...reading.versions("memory").keys()], ["a.md", "b.md", "c.md"]);
  assert.deepEqual(reading.counts(), [{ source: "memory", files: 3, chunks: 4 }]);
  assert.equal(reading.versions("mail").size, 0);
});

test("documents name their day if they have one, and facts are absent until they are written", async () => {
  const { reading, writing, put } = await openFixture({ "a.md": ["one"] });
  const dated = document("b.md", []);
  await put({ ...dated, document: { ...dated.document, date: "2026-03-01" } });
  assert.deepEqual(reading.documents(), [
    { source: "memory", path: "a.md", chunks: 1 },
    { source: "memory", path: "b.md", chunks: 0, date: "2026-03-01" },
  ]);
  assert.equal(reading.meta("fact"), null);
  writing.setMeta("fact", "value");
  assert.equal(reading.meta("fact"), "value");
});

test("rows with values of the wrong kind are damage", async () => {
  for (const change of ["text = x'00'", "start_line = 'x'", "end_line = 1.5", "headings = '{}'"]) {
    const { db, reading } = await openFixture({ "a.md": ["one"] });
    db.exec(`UPDATE chunk_rows SET ${change}`);
    assert.throws(() => reading.chunksOf("memory", "a.md"), DamagedContent, change);
  }
  assert.deepEqual(parseHeadings('["a","b"]'), ["a", "b"]);
  assert.deepEqual(parseHeadings("[]"), []);
  for (const json of ["", "null", '"a"', '["a",1]', "[1]", '["a"'])
    assert.throws(() => parseHeadings(json), DamagedContent, json);
});

test("revisions grow with the clock, or by one, and decide what a writer has seen", () => {
  const db = new DatabaseSync(":memory:");
  writeSchema(db, { fullText: false });
  let nowMs = 1000.7;
  const begin = prepareDocumentWrites(db, () => nowMs);
  const state = () => prepareReading(db).documentState();
  assert.equal(state(), "0");
  const first = begin(undefined);
  assert.equal(first.revision, 1000);
  assert.equal(first.isAsSeen({ revision: 5000 }), true, "without a state nothing is refused");
  first.finish({ hasRemoved: false });
  assert.equal(state(), "1000");
  assert.equal(begin("0").isAsSeen(undefined), true, "nothing was ever removed");

  nowMs = 500;
  const second = begin("1000");
  assert.equal(second.revision, 1001, "though the clock was set back");
  assert.deepEqual(
    [999, 1000, 1001].map((revision) => second.isAsSeen({ revision })),
    [true, true, false],
  );
  second.finish({ hasRemoved: true });
  assert.deepEqual(
    ["1000", "1001"].map((asOf) => begin(asOf).isAsSeen(undefined)),
    [false, true],
  );
});
