import assert from "node:assert/strict";
import { test } from "node:test";
import { openAt } from "../../test/support/sqlite-index.ts";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { readProblems, readRefused, recordProblem, recordRefused } from "./embedding-record.ts";

test("The problem of an embedder is remembered until it is over, and is no other embedder's", async (t) => {
  await using store = await openAt(makeTemporaryFolder(t).at("index.sqlite"));
  assert.deepEqual(await readProblems(store, "a"), []);
  await recordProblem(store, "a", "no answer");
  assert.deepEqual(await readProblems(store, "a"), ["no answer"]);
  assert.deepEqual(await readProblems(store, "b"), []);
  await recordProblem(store, "a", "another reason");
  assert.deepEqual(await readProblems(store, "a"), ["another reason"]);
  await recordProblem(store, "a", null);
  assert.deepEqual(await readProblems(store, "a"), []);
});

test("An index that is as it should be is not written, and one that cannot be written is no error", async (t) => {
  await using store = await openAt(makeTemporaryFolder(t).at("index.sqlite"));
  let writes = 0;
  const writeFact: typeof store.writeFact = async () => {
    writes++;
    throw new Error("read-only");
  };
  const readOnly = { ...store, writeFact };
  await recordProblem(readOnly, "a", null);
  assert.equal(writes, 0);
  await recordProblem(readOnly, "a", "no answer");
  assert.equal(writes, 1);
});

test("Texts that an embedder refused are its own", async (t) => {
  await using store = await openAt(makeTemporaryFolder(t).at("index.sqlite"));
  const at = new Date(0);
  await recordRefused(store, "a", { texts: [{ hash: "1", reason: "too long" }], at });
  assert.equal((await readRefused(store, "a")).length, 1);
  assert.deepEqual(await readRefused(store, "b"), []);
});
