import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { toBlob } from "../vectors/vector-set.ts";
import { cacheGroup, prepareCacheReading, prepareCacheWriting } from "./embedding-cache.ts";
import { writeSchema } from "./schema.ts";
import type { EmbedderRow } from "./vector-sets.ts";

const owner = { provider: "p", model: "m", provider_key: "k" };
const another = { ...owner, model: "n" };
const unit = Float32Array.of(1, 0);
const otherUnit = Float32Array.of(0, 1);

function createCache() {
  const db = new DatabaseSync(":memory:");
  writeSchema(db, { fullText: false });
  const addChunk = db.prepare(
    `INSERT INTO chunk_rows (file, position, start_line, end_line, updated_at, repeated, hash, headings, text)
     VALUES (1, 1, 1, 1, 0, 0, ?, '[]', 'text')`,
  );
  const addSet = db.prepare(
    `INSERT INTO embedders (name, provider, model, provider_key, vectors_per_text, coding, dims, done_key, used_at)
     VALUES (?1, 'p', ?1, 'k', 'one', 'bytes', ?2, ?3, 0) RETURNING *`,
  );
  const addRow = db.prepare("INSERT INTO embedding_cache VALUES ('p', ?, 'k', ?, ?, ?, 0)");
  const use = db.prepare("INSERT INTO vector_rows VALUES (? << 40 | ?, x'00')");
  return {
    reading: prepareCacheReading(db),
    writing: prepareCacheWriting(db),
    /** Returns their keys. */
    addChunks: (...hashes: string[]) => hashes.map((hash) => Number(addChunk.run(hash).lastInsertRowid)),
    addSet: ({ model = "m", dims = 2, done_key = 0 } = {}) =>
      addSet.get(model, dims, done_key) as unknown as EmbedderRow,
    /** A row as another program or a damaged disk may leave it. */
    addRow: (hash: string, blob: Uint8Array, dims: number, model = "m") =>
      Number(addRow.run(model, hash, blob, dims).lastInsertRowid),
    use: (set: EmbedderRow, key: number) => void use.run(set.id, key),
    hashes: () =>
      db
        .prepare("SELECT hash FROM embedding_cache ORDER BY rowid")
        .all()
        .map((row) => row["hash"]),
  };
}

const numbered = (count: number) =>
  Array.from({ length: count }, (_, number) => `text ${String(number).padStart(4, "0")}`);
const hashesOf = (entries: readonly { hash: string }[]) => entries.map(({ hash }) => hash);
const notFinite = toBlob(Float32Array.of(Number.NaN, 0));

test("the first vector of a text is kept, unless it is malformed or has other dimensions", () => {
  const { reading, writing, addRow } = createCache();
  const keep = (hash: string, vector: Float32Array | null, dims = 2) =>
    writing.keep(owner, hash, vector, { dims, at: 5 });
  assert.equal(reading.count(), 0);
  assert.equal(keep("a", unit), unit);
  assert.deepEqual(keep("a", otherUnit), unit);
  const longer = Float32Array.of(1, 0, 0);
  assert.equal(keep("a", longer, 3), longer);
  assert.deepEqual(keep("a", Float32Array.of(0, 1, 0), 3), longer);
  assert.equal(keep("blank", null), null);
  assert.equal(keep("blank", unit), unit, "what had nothing to embed was another text then");
  addRow("broken", notFinite, 2);
  assert.equal(keep("broken", unit), unit);
  assert.deepEqual(keep("broken", otherUnit), unit);
  addRow("cut", toBlob(unit).subarray(0, 7), 2);
  assert.equal(keep("cut", null), null);
  assert.deepEqual(reading.lookUp(owner, null, ["cut", "a", "absent"]), [
    { hash: "cut", vectors: [] },
    { hash: "a", vectors: [longer] },
  ]);
  assert.deepEqual(reading.lookUp(another, null, ["a"]), []);
  assert.equal(reading.count(), 4);
});

test("texts are looked up with the dimensions of their set", () => {
  const { reading, addRow, addSet } = createCache();
  addRow("long", toBlob(Float32Array.of(1, 0, 0)), 3);
  addRow("short", toBlob(unit), 2);
  addRow("broken", notFinite, 2);
  const set = addSet();
  assert.deepEqual(hashesOf(reading.lookUp(owner, set, ["long", "short", "broken"])), ["short"]);
  assert.deepEqual(hashesOf(reading.lookUp(owner, null, ["long", "short"])), ["long"]);
  assert.deepEqual(reading.lookUp(owner, set, []), []);
});

test("chunks get the vectors of their texts, except malformed ones", () => {
  const { reading, addChunks, addRow, addSet } = createCache();
  const [a, same, long, none, b] = addChunks("a", "a", "long", "none", "b") as [
    number,
    number,
    number,
    number,
    number,
  ];
  addRow("a", toBlob(unit), 2);
  addRow("b", toBlob(otherUnit), 2);
  addRow("long", toBlob(Float32Array.of(1, 0, 0)), 3);
  addRow("none", toBlob(unit), 2, "n");
  const set = addSet();
  assert.deepEqual(
    reading.vectorsOf(set, [a, same, long, none, b, 99]),
    new Map([
      [a, unit],
      [same, unit],
      [b, otherUnit],
    ]),
  );
  assert.deepEqual(reading.vectorsOf(set, []), new Map());
});

for (const count of [cacheGroup - 1, cacheGroup, cacheGroup + 1]) {
  test(`${count} chunks without vectors are found in groups`, () => {
    const { reading, addChunks, addRow } = createCache();
    const hashes = numbered(count);
    const keys = addChunks(...hashes);
    for (const hash of hashes) addRow(hash, toBlob(unit), 2);
    const first = reading.lookForMissing(owner, null, 0);
    assert.deepEqual(hashesOf(first.entries), hashes.slice(0, cacheGroup));
    assert.equal(first.lastKey, count < cacheGroup ? null : keys[cacheGroup - 1]);
    const rest = reading.lookForMissing(owner, null, first.lastKey ?? keys.at(-1)!);
    assert.deepEqual(rest, {
      lastKey: null,
      entries: hashes.slice(cacheGroup).map((hash) => ({ hash, vectors: [unit] })),
    });
  });
}

test("only chunks after the last complete one are checked for missing vectors", () => {
  const { reading, addChunks, addRow, addSet, use } = createCache();
  const keys = addChunks("a", "b", "c", "d", "e");
  for (const hash of ["a", "b", "c", "e"]) addRow(hash, toBlob(unit), 2);
  addRow("d", toBlob(Float32Array.of(1, 0, 0)), 3);
  const set = addSet({ done_key: keys[0]! });
  use(set, keys[1]!);
  const find = (after: number, of: EmbedderRow | null = set) =>
    hashesOf(reading.lookForMissing(owner, of, after).entries);
  assert.deepEqual(find(0), ["c", "e"], "those of other dimensions are left out");
  assert.deepEqual(find(keys[2]!), ["e"]);
  assert.deepEqual(find(keys[4]!), []);
  assert.deepEqual(find(0, null), ["a", "b", "c", "e"]);
  assert.deepEqual(find(keys[0]!, null), ["b", "c", "e"]);
});

for (const count of [cacheGroup - 1, cacheGroup, cacheGroup + 1]) {
  test(`${count} rows of an owner are read in pages`, () => {
    const { reading, addRow } = createCache();
    const hashes = numbered(count);
    addRow("of another", toBlob(unit), 2, "n");
    const rowids = hashes.map((hash) => addRow(hash, toBlob(unit), 2));
    const first = reading.page(owner, 0);
    assert.deepEqual(hashesOf(first.entries), hashes.slice(0, cacheGroup));
    assert.equal(first.lastRowid, count < cacheGroup ? null : rowids[cacheGroup - 1]);
    const rest = reading.page(owner, first.lastRowid ?? rowids.at(-1)!);
    assert.equal(rest.lastRowid, null);
    assert.deepEqual(hashesOf(rest.entries), hashes.slice(cacheGroup));
  });
}

test("a page has vectors of any dimensions, blank texts, and nothing malformed", () => {
  const { reading, addRow } = createCache();
  addRow("a", toBlob(unit), 2);
  addRow("long", toBlob(Float32Array.of(1, 0, 0)), 3);
  addRow("one", toBlob(Float32Array.of(1)), 1);
  addRow("blank", new Uint8Array(0), 0);
  addRow("cut", toBlob(unit), 3);
  addRow("broken", notFinite, 2);
  addRow("zero", toBlob(Float32Array.of(0, 0)), 2);
  assert.deepEqual(reading.page(owner, 0).entries, [
    { hash: "a", vectors: [unit] },
    { hash: "long", vectors: [Float32Array.of(1, 0, 0)] },
    { hash: "one", vectors: [Float32Array.of(1)] },
    { hash: "blank", vectors: [] },
  ]);
});

test("rows come by age, with whether a chunk uses them, and only unused ones are evicted", () => {
  const { reading, writing, addChunks, addSet, use, hashes } = createCache();
  const ages = { old: 10, used: 5, young: 20, same: 10, unembedded: 1 };
  for (const [hash, at] of Object.entries(ages)) writing.keep(owner, hash, unit, { dims: 2, at });
  writing.keep(another, "used", unit, { dims: 2, at: 7 });
  const [key] = addChunks("used", "unembedded");
  use(addSet(), key!);
  const rows = reading.byAge({ updated_at: -1, rowid: 0 });
  assert.deepEqual(
    rows.map(({ updated_at, used }) => [updated_at, used]),
    [
      [1, 0],
      [5, 1],
      [7, 0],
      [10, 0],
      [10, 0],
      [20, 0],
    ],
  );
  assert.deepEqual(reading.byAge(rows[3]!), rows.slice(4), "equal ages follow their order");
  writing.evict(rows.slice(0, 4).map(({ rowid }) => rowid));
  assert.deepEqual(hashes(), ["used", "young", "same"]);
  writing.evict([]);
  assert.equal(reading.count(), 3);
});
