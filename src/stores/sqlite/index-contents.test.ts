import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { document, openAt } from "../../../test/support/sqlite-index.ts";
import { makeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { monotonicMs } from "../../timing.ts";
import { embedAll } from "../contract/fixture.ts";
import type { IndexedDocument } from "../store.ts";
import { openIndexContents } from "./index-contents.ts";

/** Tokens of the text and, after a bar, those of the headings. */
const tokens = ({ text }: { readonly text: string }) => {
  const [body = "", head = ""] = text.split("|");
  return { body, head };
};

async function build(t: TestContext, ...puts: readonly (readonly IndexedDocument[])[]): Promise<string> {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  const store = await openAt(path, { tokens });
  for (const documents of puts) await store.put(documents, "cut-1");
  await embedAll(store);
  await store[Symbol.asyncDispose]();
  return path;
}

async function contentsOf(path: string, embedderId?: string) {
  await using contents = await openIndexContents({ path, embedderId });
  const documents = [];
  for await (const each of contents.documents()) documents.push(each);
  return { documents, strays: contents.strays() };
}

test("indexes of the same notes have equal contents, whatever happened before", async (t) => {
  const [a, b] = [document("a.md", ["one two", "two three | four"]), document("b.md", ["one"])];
  const fresh = await build(t, [a, b]);
  const old = await build(t, [document("c.md", ["five"]), b], [document("a.md", ["six"]), a]);
  const db = new DatabaseSync(old);
  db.exec(
    "DELETE FROM chunk_rows WHERE file = (SELECT id FROM files WHERE path = 'c.md'); DELETE FROM files WHERE path = 'c.md'",
  );
  db.close();
  const { documents, strays } = await contentsOf(fresh, "model");
  assert.deepEqual((await contentsOf(old, "model")).documents, documents);
  assert.deepEqual(strays, []);
  assert.deepEqual(
    documents.map(({ path, chunks }) => [path, chunks.map(({ place }) => place.split(" ")[0])]),
    [
      ["a.md", ["1-1", "2-2"]],
      ["b.md", ["1-1"]],
    ],
  );
  assert.ok(documents.every(({ chunks }) => chunks.every(({ vectors }) => vectors !== null)));
  const unasked = await contentsOf(fresh);
  assert.ok(unasked.documents.every(({ chunks }) => chunks.every(({ vectors }) => vectors === null)));
});

test("a token that differs, occurs more often, or belongs to the head gives other contents", async (t) => {
  const texts = ["a b c", "a b", "a b d", "a b c c", "|a b c", "a|b c", "a b|c"];
  const path = await build(t, [document("a.md", [...texts, texts[0]!])]);
  const digests = (await contentsOf(path)).documents[0]!.chunks.map(({ tokens: digest }) => digest);
  assert.equal(new Set(digests).size, texts.length);
  assert.equal(digests.at(-1), digests[0]);
});

test("a chunk without any token has contents, too", async (t) => {
  const path = await build(t, [document("a.md", ["|", "one"])]);
  const [blank, one] = (await contentsOf(path)).documents[0]!.chunks.map(({ tokens: digest }) => digest);
  assert.notEqual(blank, "none");
  assert.notEqual(blank, one);
});

test("orphaned rows are counted", async (t) => {
  const path = await build(t, [document("a.md", ["one", "two", "three"]), document("b.md", ["four"])]);
  const change = (sql: string) => {
    const db = new DatabaseSync(path);
    db.exec(`PRAGMA foreign_keys = OFF; ${sql}`);
    db.close();
  };
  change("DELETE FROM files WHERE path = 'b.md'");
  assert.deepEqual((await contentsOf(path)).strays, ["1 chunks that belong to no document"]);
  change(
    "DELETE FROM chunk_rows WHERE text = 'four'; UPDATE chunk_rows SET position = 7 WHERE text = 'three'",
  );
  const { documents, strays } = await contentsOf(path, "model");
  assert.deepEqual(strays, [
    "1 chunks in the full-text index that do not exist",
    "1 chunks with vectors that do not exist",
  ]);
  assert.deepEqual(
    documents[0]!.chunks.map(({ place }) => place.endsWith(" of another document")),
    [false, false, true],
  );
  change("DELETE FROM chunks_fts WHERE rowid = (SELECT key FROM chunks WHERE text = 'one')");
  assert.equal((await contentsOf(path)).documents[0]!.chunks[0]!.tokens, "none");
});

test("reading gives way to other work now and then, and not after every document", async (t) => {
  const documents = Array.from({ length: 300 }, (_, number) => document(`${number}.md`, ["one"]));
  await using contents = await openIndexContents({ path: await build(t, documents) });
  let turns = 0;
  let isReading = true;
  const countTurns = (): void => {
    turns++;
    if (isReading) setImmediate(countTurns);
  };
  setImmediate(countTurns);
  let read = 0;
  for await (const _ of contents.documents()) {
    // The first document takes longer than a slice.
    for (const startedMs = monotonicMs(); read === 0 && monotonicMs() - startedMs < 30; );
    read++;
  }
  isReading = false;
  assert.equal(read, documents.length);
  assert.ok(turns > 0 && turns < read / 2, `${turns} turns of the event loop`);
});
