import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { suite, type TestContext, test } from "node:test";
import { document, openAt, search } from "../../../test/support/sqlite-index.ts";
import { makeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { embedAll, named, several, similarTo, vectorOf } from "../contract/fixture.ts";
import type { Repair } from "../quarantined.ts";
import type { FullStore } from "../store.ts";
import { prepareFileFilter } from "./file-filter.ts";
import { prepareReading } from "./read.ts";
import { prepareVectorReading } from "./vectors-read.ts";

async function setUp(
  t: TestContext,
  chunks: readonly string[],
  onRepair: (repair: Repair) => void = () => {},
) {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  const store = await openAt(path, { onRepair });
  t.after(() => store[Symbol.asyncDispose]());
  await store.put([document("a.md", chunks)], "cut-1");
  await embedAll(store);
  const db = new DatabaseSync(path);
  t.after(() => db.isOpen && db.close());
  return { path, store, db };
}

const numbered = (count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, index) => `word${from + index}`);

/** The stored vectors are those of existing chunks. */
function checkRows(db: DatabaseSync): void {
  const stray = db.prepare(
    "SELECT count(*) AS count FROM chunks_vec WHERE key NOT IN (SELECT key FROM chunks)",
  );
  assert.equal(stray.get()?.["count"], 0);
}

suite("vectors in SQLite", () => {
  test("are read in slices, whatever changes in between", async (t) => {
    const { store, db } = await setUp(t, numbered(1000));
    const { revision } = prepareReading(db);
    const reading = prepareVectorReading(db, { revision, selectFiles: prepareFileFilter(db, revision) });
    assert.equal(reading.loadSome("model", 0), false);
    await store.put(
      [document("a.md", ["new", ...numbered(990, 10)]), document("b.md", numbered(5, 2000))],
      "cut-1",
    );
    assert.equal(reading.loadSome("model", 0), false);
    await embedAll(store);
    while (!reading.loadSome("model", 0));
    for (const word of ["word500", "word2003", "new"]) {
      const { candidates } = reading.byVector("model", vectorOf(word), { limit: 2000 });
      assert.equal(candidates.length, 996);
      const [best] = await store.chunks(candidates.slice(0, 1).map(({ id }) => id));
      assert.equal(best?.text, word);
    }
    assert.equal(reading.loadSome("unknown", 0), true);
    checkRows(db);
  });

  test("of two embedders that cover different chunks are filtered alike", async (t) => {
    const { store } = await setUp(t, ["pear", "apple"]);
    await store.put([document("b.md", ["plum", "fig"])], "cut-1");
    const all = await store.missingVectors("first", 9);
    const entryOf = (text: string) => ({
      hash: all.find((each) => each.text === text)!.hash,
      vectors: [vectorOf(text)],
    });
    const filter = { pathGlob: "a.md" };
    for (const [embedderId, chunks] of [
      ["first", ["pear", "apple", "plum"]],
      ["second", ["apple", "plum", "fig"]],
    ] as const) {
      await store.putVectors(named(embedderId), chunks.map(entryOf), several);
    }
    const found = (embedderId: string) => similarTo(store, "apple", { limit: 9, filter, embedderId });
    assert.deepEqual(await found("first"), ["apple", "pear"]);
    assert.deepEqual(await found("second"), ["apple"]);
  });

  test("are the same for a process that missed more deletions than are recorded", async (t) => {
    const { path, store, db } = await setUp(t, numbered(4500));
    await using other = await openAt(path);
    assert.deepEqual(await similarTo(other, "word7"), ["word7"]);
    await store.put([document("a.md", ["word7", "word8"])], "cut-1");
    const remembered = db.prepare("SELECT count(*) AS count FROM chunks_gone").get()?.["count"];
    assert.equal(remembered, 4096);
    assert.deepEqual((await similarTo(other, "word7", { limit: 9 })).sort(), ["word7", "word8"]);
    checkRows(db);
  });

  test("are known to be complete without a scan, even after a note was moved", async (t) => {
    const { store, db } = await setUp(t, ["pear", "apple"]);
    const complete = () =>
      db.prepare("SELECT done_key = (SELECT max(key) FROM chunks) AS all_done FROM embedders").get()?.[
        "all_done"
      ];
    assert.equal(complete(), 1);
    await store.put([document("moved.md", ["pear", "apple"])], "cut-1");
    await store.remove("memory", ["a.md"]);
    assert.equal(complete(), 1);
    await store.put([document("b.md", ["plum"])], "cut-1");
    assert.equal(complete(), 0);
    await embedAll(store);
    assert.equal(complete(), 1);
    checkRows(db);
  });

  for (const [what, damage] of Object.entries({
    "are cut short": "UPDATE vector_rows SET codes = substr(codes, 1, 7)",
    "claim more than there is": "UPDATE vector_rows SET codes = x'ffffffff'",
    "are not even bytes": "UPDATE vector_rows SET codes = 'text'",
    "are of an unknown kind": "UPDATE embedders SET coding = 'toString'",
  })) {
    test(`that ${what} are dropped and embedded again; tokens and chunks stay`, async (t) => {
      const repairs: Repair[] = [];
      const { store, db } = await setUp(t, ["pear", "apple"], (repair) => repairs.push(repair));
      db.exec(damage);
      db.close();
      assert.deepEqual(await similarTo(store, "pear"), []);
      assert.equal(repairs.length, 0);
      assert.deepEqual(await embedAll(store), ["pear", "apple"]);
      assert.deepEqual(await similarTo(store, "pear"), ["pear"]);
      assert.deepEqual(await search(store, ["apple"]), ["apple"]);
    });
  }
});

test("a semantic search does not wait for a long write, and sees the state before it", async (t) => {
  const { store } = await setUp(t, numbered(50));
  const writing = store.put([document("a.md", numbered(3000, 5000))], "cut-1");
  const found = await searchWhile(writing, store);
  assert.ok(found.every((words) => words.length === 50 || words.length === 0));
  await writing;
  assert.deepEqual(await similarTo(store, "word1", { limit: 9 }), []);
});

async function searchWhile(writing: Promise<unknown>, store: FullStore): Promise<string[][]> {
  const found: string[][] = [];
  let isWriting = true;
  void writing.then(() => {
    isWriting = false;
  });
  do {
    found.push(await similarTo(store, "word1", { limit: 100 }));
    await new Promise((resolve) => setImmediate(resolve));
  } while (isWriting);
  return found;
}
