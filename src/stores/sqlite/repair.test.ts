import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { checkIntegrity, document, openAt, search } from "../../../test/support/sqlite-index.ts";
import { makeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { embedAll, named, similarTo } from "../contract/fixture.ts";
import type { FullStore } from "../store.ts";
import { rebuildFullText } from "./full-text.ts";

const droppedSet = "dropped damaged vectors, to make them again";
const rebuiltWords = "built the full-text index again";
const keyOfFig = "(SELECT key FROM chunks WHERE text = 'fig')";

const texts = ["fig", "kiwi", "pear", "plum", "quince"];

interface Damage {
  readonly sql: string;
  /** The report of the repair. */
  readonly done: readonly string[];
  /** The texts that remain; all by default. */
  readonly left?: readonly string[];
}

const damages: Record<string, Damage> = {
  "chunks of no document": {
    sql: "DELETE FROM files WHERE path = 'b.md'",
    done: [
      "deleted 2 chunks that belong to no document",
      rebuiltWords,
      "deleted 2 vectors that belong to no chunk",
    ],
    left: ["fig", "kiwi", "plum"],
  },
  "one chunk of no document": {
    sql: "UPDATE chunk_rows SET file = 9999 WHERE text = 'quince'; UPDATE files SET chunk_count = 1 WHERE path = 'b.md'",
    done: [
      "deleted 1 chunks that belong to no document",
      rebuiltWords,
      "deleted 1 vectors that belong to no chunk",
    ],
    left: ["fig", "kiwi", "pear", "plum"],
  },
  "a document that lacks its last chunk": {
    sql: "UPDATE files SET chunk_count = 4 WHERE path = 'a.md'",
    done: ["removed 1 incomplete documents, to index them again"],
    left: ["pear", "quince"],
  },
  "a document that lacks a chunk in its middle": {
    sql: `UPDATE files SET chunk_count = 2 WHERE path = 'a.md'; DELETE FROM chunk_rows WHERE text = 'kiwi'`,
    done: [
      "removed 1 incomplete documents, to index them again",
      rebuiltWords,
      "deleted 1 vectors that belong to no chunk",
    ],
    left: ["pear", "quince"],
  },
  "a chunk without words": {
    sql: `DELETE FROM chunks_fts_docsize WHERE id = ${keyOfFig}`,
    done: [rebuiltWords],
  },
  "words of no chunk": {
    sql: "INSERT INTO chunks_fts_docsize (id, sz, origin) VALUES (9999, x'01', 1)",
    done: [rebuiltWords],
  },
  "a page of words that cannot be read": {
    sql: "UPDATE chunks_fts_data SET block = x'00' WHERE id > 10",
    done: [rebuiltWords],
  },
  "a vector of no chunk": {
    sql: "INSERT INTO vector_rows SELECT embedder << 40 | 9999, codes FROM chunks_vec LIMIT 1",
    done: ["deleted 1 vectors that belong to no chunk"],
  },
  "vectors of no embedder": {
    sql: "INSERT INTO vector_rows SELECT 9999 << 40 | key, codes FROM chunks_vec LIMIT 3",
    done: ["deleted 3 vectors that belong to no chunk"],
  },
  "a vector that is too short": {
    sql: `UPDATE vector_rows SET codes = substr(codes, 1, length(codes) - 1) WHERE place & 0xffffffffff = ${keyOfFig}`,
    done: [droppedSet],
  },
  "a vector without its count": {
    sql: `UPDATE vector_rows SET codes = x'000000' WHERE place & 0xffffffffff = ${keyOfFig}`,
    done: [droppedSet],
  },
  "a text where a vector belongs": {
    sql: `UPDATE vector_rows SET codes = 'abcdefgh' WHERE place & 0xffffffffff = ${keyOfFig}`,
    done: [droppedSet],
  },
  "an unknown coding": { sql: "UPDATE embedders SET coding = 'toString'", done: [droppedSet] },
  "a negative number of dimensions": { sql: "UPDATE embedders SET dims = -1", done: [droppedSet] },
  "a vector that is missing where all are said to exist": {
    sql: `DELETE FROM vector_rows WHERE place & 0xffffffffff = ${keyOfFig}`,
    done: [droppedSet],
  },
  "vectors that are said to be complete beyond the last chunk": {
    sql: "UPDATE embedders SET done_key = 9999",
    done: [droppedSet],
  },
};

async function setUp(t: TestContext) {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  const store = await openAt(path);
  t.after(() => store[Symbol.asyncDispose]());
  await store.put([document("a.md", ["fig", "kiwi", "plum"]), document("b.md", ["pear", "quince"])], "cut-1");
  await store.put([document("empty.md", [])], "cut-1");
  await embedAll(store);
  return { path, store };
}

async function listKnown(store: FullStore): Promise<string[]> {
  const { files } = await store.stats();
  return [`${files} documents`, ...(await store.versions("memory")).keys()];
}

for (const [what, { sql, done, left = texts }] of Object.entries(damages)) {
  test(`${what}: repair reports and removes it, and keeps what is sound`, async (t) => {
    const { path, store } = await setUp(t);
    assert.deepEqual(await store.repair(), []);
    assert.deepEqual(await listKnown(store), ["3 documents", "a.md", "b.md", "empty.md"]);
    {
      using db = new DatabaseSync(path);
      db.enableDefensive?.(false);
      db.exec(sql);
    }
    assert.deepEqual(await store.repair(), done);
    await using other = await openAt(path);
    assert.deepEqual(await listKnown(store), await listKnown(other), "the next sync adds what is missing");
    assert.deepEqual(await store.repair(), [], "a second repair has nothing to do");
    const found = [];
    for (const text of texts) found.push(...(await search(store, [text])));
    assert.deepEqual(found, left);
    const embedded = await embedAll(store);
    assert.equal(embedded.length, done.includes(droppedSet) ? left.length : 0);
    for (const text of left) assert.deepEqual(await similarTo(store, text), [text]);
    assert.ok((await store.versions("memory")).has("empty.md"), "a document without chunks is complete");
    checkIntegrity(path);
  });
}

test("tokens are rebuilt and vectors dropped on request, sound or not", async (t) => {
  const { store } = await setUp(t);
  assert.deepEqual(await store.repair({ words: "rebuild" }), [rebuiltWords]);
  assert.deepEqual(await similarTo(store, "fig"), ["fig"]);
  assert.deepEqual(await embedAll(store), [], "the vectors stayed");
  assert.deepEqual(await store.repair({ vectors: "drop" }), ["dropped all vectors, to make them again"]);
  assert.deepEqual(await search(store, ["fig"]), ["fig"]);
  assert.equal((await embedAll(store)).length, 5);
});

test("rebuilding the tokens yields after each slice", async (t) => {
  const { path } = await setUp(t);
  using db = new DatabaseSync(path);
  const countPauses = async (isOver: () => boolean): Promise<number> => {
    let pauses = 0;
    db.exec("BEGIN");
    const next = async () => {
      pauses++;
    };
    await rebuildFullText(db, ({ text }) => ({ body: text, head: "" }), { isOver, next });
    db.exec("COMMIT");
    return pauses;
  };
  assert.equal(await countPauses(() => true), texts.length);
  assert.equal(await countPauses(() => false), 0);
});

test("a file beyond repair is quarantined, and the index starts empty", async (t) => {
  const { path, store } = await setUp(t);
  /** Behind SQLite's back: removes an entry of an index. */
  const changeSchema = (sql: string) => {
    using db = new DatabaseSync(path);
    db.enableDefensive?.(false);
    db.exec(`PRAGMA writable_schema = ON; ${sql}`);
  };
  let rootPage: unknown;
  {
    using db = new DatabaseSync(path, { readOnly: true });
    rootPage = db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'chunks_hash'").get()?.[
      "rootpage"
    ];
  }
  changeSchema("DELETE FROM sqlite_schema WHERE name = 'chunks_hash'");
  changeSchema("UPDATE chunk_rows SET hash = 'another' WHERE text = 'fig'");
  changeSchema(
    `INSERT INTO sqlite_schema VALUES ('index', 'chunks_hash', 'chunks', ${rootPage},
       'CREATE INDEX chunks_hash ON chunks (substr(hash, 1, 16))')`,
  );
  await store.repair();
  assert.equal((await store.stats()).quarantined?.[0]?.movedTo, `${path}.corrupt-1`);
  assert.deepEqual(await search(store, ["fig"]), []);
  await store.put([document("a.md", ["fig"])], "cut-1");
  assert.deepEqual(await store.repair(), []);
  checkIntegrity(path);
});

test("a set in which no text has a vector yet is sound", async (t) => {
  const store = await openAt(makeTemporaryFolder(t).at("index.sqlite"));
  t.after(() => store[Symbol.asyncDispose]());
  await store.put([document("a.md", ["---"])], "cut-1");
  await store.putVectors(named("single"), [{ hash: "hash of ---", vectors: [] }], { vectorsPerText: "one" });
  assert.deepEqual(await store.repair(), []);
  assert.deepEqual(await store.missingVectors("single", 9), []);
});
