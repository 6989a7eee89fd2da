import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { makeMemoryFixture, withMemorySearch } from "../../test/support/memory-fixture.ts";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { openSqliteStore } from "../stores/sqlite/sqlite-store.ts";
import type { Store } from "../stores/store.ts";

/** A minimal store: documents and keyword search. It finds only tokens that come with the documents. */
async function keywordsOnly(t: TestContext): Promise<Store> {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  const tokens = () => ({ body: "", head: "" });
  const store = await openSqliteStore({ path, analyzerId: "none", tokens });
  const { versions, put, touch, remove, chunks, chunksOf, stats, readFact, writeFact } = store;
  const { byKeyword, documentFrequencies, [Symbol.asyncDispose]: dispose } = store;
  const documents = { versions, put, touch, remove, chunks, chunksOf, stats, readFact, writeFact };
  return {
    specificationVersion: 1,
    ...documents,
    byKeyword,
    documentFrequencies,
    [Symbol.asyncDispose]: dispose,
  };
}

test("a store of documents and keyword search alone works with search, sync and status", async (t) => {
  const fixture = makeMemoryFixture(t, { "MEMORY.md": "# Memory\n\nThe zeppelin flies on Mondays.\n" });
  const config = withMemorySearch({ provider: "builtin" });
  const memory = await fixture.open({ config, store: await keywordsOnly(t) });
  const answer = await memory.search("zeppelins");
  assert.equal(answer.mode, "keyword");
  assert.deepEqual(
    answer.results.map(({ path }) => path),
    ["MEMORY.md"],
  );
  await memory.add("The zeppelin lands on Fridays.", { to: "long-term" });
  assert.match((await memory.search("lands on fridays")).results[0]!.snippet, /Fridays/);
  const status = await memory.status();
  assert.deepEqual([status.provider, status.files, status.dirty], ["none", 1, false]);
  assert.equal((await memory.probeVectorAvailability()).ok, false);
  const { removed } = await memory.forget({ path: "MEMORY.md", startLine: 3, endLine: 3 });
  assert.equal(removed.length, 1);
  assert.deepEqual((await memory.search("mondays")).results, []);
});

test("a store with only some of the vector methods is refused, and the missing one is named", async (t) => {
  const fixture = makeMemoryFixture(t, { "MEMORY.md": "# Memory\n" });
  const half = { ...(await keywordsOnly(t)), byVector: async () => ({ candidates: [], median: 0 }) };
  await assert.rejects(fixture.open({ store: half as Store }), {
    code: "not-supported",
    message: /the given store has no method missingVectors/,
  });
});
