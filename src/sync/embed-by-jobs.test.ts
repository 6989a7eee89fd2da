import assert from "node:assert/strict";
import { test } from "node:test";
import type { BatchJobs, BatchWork, JobRecord } from "../embedders/batch-jobs/batch-jobs.ts";
import type { EmbeddedText, Embedder } from "../embedders/embedder.ts";
import type { VectorStore } from "../stores/store.ts";
import { embedByJobs, readJobs } from "./embed-by-jobs.ts";

const asked = { onEmbedded: () => {}, signal: undefined };
const job: JobRecord = {
  ...{ since: "2026-01-01", attempt: 1 },
  name: "job",
  id: "7",
  hashes: ["a"],
  tokens: 1,
};

function openFixture(wanted: readonly string[]) {
  const facts = new Map<string, string>();
  const put: unknown[] = [];
  const store = {
    readFact: async (key: string) => facts.get(key) ?? null,
    writeFact: async (key: string, value: string) => void facts.set(key, value),
    missingVectors: async (_id: string, limit: number, { only }: { only: readonly string[] }) =>
      only
        .filter((hash) => wanted.includes(hash))
        .slice(0, limit)
        .map((hash) => ({ hash, text: "" })),
    putVectors: async (_embedder: unknown, ...rest: unknown[]) => void put.push(...rest),
  } as unknown as VectorStore;
  const seen = new Set<string>();
  const run = async (work: (batch: BatchWork) => Promise<void>) => {
    const batches = {
      run: async (batch: BatchWork) => {
        await work(batch);
        return { pending: new Set(["b"]), holdsRest: true };
      },
    } as unknown as BatchJobs;
    const embedder = { id: "service", vectorsPerText: "one", batches } as Embedder;
    return await embedByJobs({ store, embedder }, asked, { seen, take: async () => [] });
  };
  return { store, facts, put, seen, run };
}

test("an embedder without batch jobs leaves all texts to requests", async () => {
  const { store, seen } = openFixture([]);
  const embedder = { id: "service" } as Embedder;
  const outcome = await embedByJobs({ store, embedder }, asked, {
    seen,
    take: async () => assert.fail("nothing is to be taken"),
  });
  assert.deepEqual(outcome, { pending: new Set(), holdsRest: false });
});

test("vectors of a job are stored for texts that still exist; refused texts get none", async () => {
  const { put, seen, run } = openFixture(["a", "c"]);
  const vector = [new Float32Array([1])];
  const refused: EmbeddedText = { refused: "too long" };
  const outcome = await run(({ keep }) =>
    keep([
      { hash: "a", text: vector },
      { hash: "forgotten", text: vector },
      { hash: "c", text: refused },
    ]),
  );
  assert.deepEqual(outcome, { pending: new Set(["b"]), holdsRest: true });
  const entries = [
    { hash: "a", vectors: vector },
    { hash: "c", vectors: [] },
  ];
  assert.deepEqual(put, [entries, { vectorsPerText: "one" }]);
  assert.deepEqual([...seen], ["a", "c"]);
  await run(({ keep }) => keep([{ hash: "forgotten", text: vector }]));
  assert.equal(put.length, 2, "an empty result is not written");
});

test("jobs are recorded in the index, for each embedder", async () => {
  const { store, facts, run } = openFixture([]);
  await run(async ({ ledger }) => {
    assert.deepEqual(await ledger.read(), []);
    await ledger.write([job]);
  });
  assert.deepEqual([...facts.keys()], ["batch_jobs:service"]);
  assert.deepEqual(await readJobs(store, { id: "service" } as Embedder), [job]);
  assert.deepEqual(await readJobs(store, { id: "other" } as Embedder), []);
});
