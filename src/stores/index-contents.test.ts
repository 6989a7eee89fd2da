import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { document, openAt } from "../../test/support/sqlite-index.ts";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { type DocumentContents, readStoreContents } from "./index-contents.ts";
import type { FullStore } from "./store.ts";

suite("readStoreContents", () => {
  test("reads every document in order, with one vector query for many", async (t) => {
    const folder = makeTemporaryFolder(t);
    await using store = await openAt(folder.at("index.sqlite"));
    const embedder = { id: "e", provider: "own", model: "m" };
    const paths = Array.from({ length: 700 }, (_, number) => `memory/${String(number).padStart(3, "0")}.md`);
    await store.put(
      paths.map((path, number) => document(path, [`one ${number}`, `two ${number}`])),
      "c",
    );
    const missing = await store.missingVectors(embedder.id, 10_000);
    const vectors = missing.slice(1).map(({ hash }, index) => ({ hash, vectors: [vectorOf(index)] }));
    await store.putVectors(embedder, vectors, { vectorsPerText: "one" });

    let questions = 0;
    const counting: FullStore = {
      ...store,
      similarities: (...request) => {
        questions++;
        return store.similarities(...request);
      },
    };
    const found: DocumentContents[] = [];
    for await (const each of readStoreContents(counting, embedder.id).documents()) found.push(each);
    assert.deepEqual(
      found.map(({ path }) => path),
      paths,
    );
    const told = found.flatMap(({ chunks }) => chunks.map((chunk) => chunk.vectors));
    assert.equal(told.length, 1400);
    assert.equal(told.filter((vector) => vector === null).length, 1);
    assert.equal(new Set(told).size, 1400);
    assert.ok(questions < 12, `${questions} questions`);
  });
});

function vectorOf(index: number): Float32Array {
  return Float32Array.of(Math.cos(index / 1000), Math.sin(index / 1000));
}
