import assert from "node:assert/strict";
import { test } from "node:test";
import { openAt } from "../../test/support/sqlite-index.ts";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import type { Embedder, EmbedderUsage } from "../embedders/embedder.ts";
import {
  clearRefused,
  createUsageMeter,
  readProblems,
  readRefused,
  recordProblem,
  recordRefused,
} from "./embedding-record.ts";

test("The problem of an embedder is remembered until it is over, for that embedder only", async (t) => {
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

test("A correct record is not rewritten, and one that cannot be written is not an error", async (t) => {
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

test("Refused texts are recorded by embedder", async (t) => {
  await using store = await openAt(makeTemporaryFolder(t).at("index.sqlite"));
  const at = new Date(0);
  await recordRefused(store, "a", { texts: [{ hash: "1", reason: "too long" }], at });
  assert.equal((await readRefused(store, "a")).length, 1);
  assert.deepEqual(await readRefused(store, "b"), []);
});

test("The latest hundred refused texts are remembered, and no refusals cause no write", async (t) => {
  await using store = await openAt(makeTemporaryFolder(t).at("index.sqlite"));
  const writeFact = () => assert.fail("nothing is to be written");
  await recordRefused({ ...store, writeFact }, "a", { texts: [], at: new Date(0) });
  for (const count of [60, 41]) {
    const texts = Array.from({ length: count }, (_, at) => ({ hash: `${count}-${at}`, reason: "too long" }));
    await recordRefused(store, "a", { texts, at: new Date(0) });
  }
  const refused = await readRefused(store, "a");
  assert.deepEqual([refused.length, refused[0]?.hash, refused.at(-1)?.hash], [100, "60-1", "41-40"]);
});

test("Forgetting clears reasons that may quote a text, and writes nothing without any", async (t) => {
  await using store = await openAt(makeTemporaryFolder(t).at("index.sqlite"));
  const written: string[] = [];
  const recording = {
    ...store,
    writeFact: async (key: string, value: string) => {
      written.push(key);
      await store.writeFact(key, value);
    },
  };
  await clearRefused(recording);
  assert.deepEqual(written, []);
  await recordProblem(store, "a", "cannot embed: my secret");
  await recordRefused(store, "a", { texts: [{ hash: "1", reason: "my secret" }], at: new Date(0) });
  await clearRefused(recording);
  assert.equal(written.length, 2);
  assert.deepEqual([await readProblems(store, "a"), await readRefused(store, "a")], [[], []]);
});

test("Usage of an embedder is added up call by call, from where its count began", async (t) => {
  await using store = await openAt(makeTemporaryFolder(t).at("index.sqlite"));
  let usage: EmbedderUsage = { requests: 5, tokens: 50, costUsd: 0.5 };
  const embedder = { id: "a", usage: () => usage } as unknown as Embedder;
  const added: unknown[] = [];
  const meter = createUsageMeter(
    { ...store, addUsage: async (_: string, spent: unknown) => void added.push(spent) },
    embedder,
  );
  usage = { requests: 6, tokens: 50, costUsd: 0.5 };
  await meter(0);
  assert.deepEqual(added, [], "a request without an answer costs nothing");
  usage = { requests: 7, tokens: 70, costUsd: 0.75 };
  await meter(3);
  usage = { requests: 8, tokens: 80, costUsd: null };
  await meter(1);
  usage = { requests: 9, tokens: 80, costUsd: null };
  await meter(2);
  usage = { requests: 10, tokens: 90, costUsd: null };
  await meter(0);
  assert.deepEqual(added, [
    { requests: 2, tokens: 20, costUsd: 0.25, texts: 3 },
    { requests: 1, tokens: 10, costUsd: null, texts: 1 },
    { requests: 1, tokens: 0, costUsd: null, texts: 2 },
    { requests: 1, tokens: 10, costUsd: null, texts: 0 },
  ]);
  const addUsage = () => assert.fail("it costs nothing");
  await createUsageMeter({ ...store, addUsage }, { id: "free" } as Embedder)(5);
});
