import assert from "node:assert/strict";
import { test } from "node:test";
import type { Embedder } from "../embedders/embedder.ts";
import type { VectorStore } from "../stores/store.ts";
import { costOf, estimateEmbedding } from "./estimate-embedding.ts";

const service = (options: Partial<Embedder> = {}): Embedder => ({
  specificationVersion: 1,
  ...{ id: "service", provider: "test", model: "m", maxBatch: 8, dimensions: null, vectorsPerText: "one" },
  usage: () => ({ requests: 0, tokens: 0, texts: 0, costUsd: null }),
  embedDocuments: async () => [],
  embedQuery: async () => null,
  async [Symbol.asyncDispose]() {},
  ...options,
});

/** An index in which texts of four bytes lack vectors; a job is under way for the first ones. */
function indexWith(missing: number, inJobs = 0): VectorStore {
  const hashes = Array.from({ length: missing }, (_, at) => String(at));
  const job = { name: "job", id: null, hashes: hashes.slice(0, inJobs), tokens: 1 };
  return {
    readFact: async (key: string) => (key === "batch_jobs:service" ? JSON.stringify([job]) : null),
    missingVectors: async (_id: string, limit: number, { except }: { except: ReadonlySet<string> }) =>
      hashes
        .filter((hash) => !except.has(hash))
        .slice(0, limit)
        .map((hash) => ({ hash, text: "abcd" })),
    vectorStatistics: async () => ({ missing, missingTokens: 2 * missing }),
  } as unknown as VectorStore;
}

test("nothing is estimated for a free embedder, or where nothing is missing or all is under way", async () => {
  const free = service();
  delete (free as { usage?: unknown }).usage;
  assert.equal(await estimateEmbedding(indexWith(5), free), null);
  assert.equal(await estimateEmbedding(indexWith(0), service()), null);
  assert.equal(await estimateEmbedding(indexWith(5, 5), service()), null);
});

test("a few texts are counted one by one, for many the index knows the sum", async () => {
  const estimate = async (missing: number, inJobs?: number) => {
    const found = await estimateEmbedding(indexWith(missing, inJobs), service());
    return [found?.texts, found?.tokens];
  };
  assert.deepEqual(await estimate(1), [1, 2]);
  assert.deepEqual(await estimate(5, 2), [3, 4]);
  assert.deepEqual(await estimate(999), [999, 1332]);
  assert.deepEqual(await estimate(1000), [1000, 2000]);
  assert.deepEqual(await estimate(1501, 300), [1201, 2402]);
});

test("tokens cost the list price, or an unknown sum", async () => {
  assert.equal(costOf(2_000_000, service({ usdPerMillionTokens: 0.5 })), 1);
  assert.equal(costOf(2_000_000, service({ usdPerMillionTokens: 0 })), 0);
  assert.equal(costOf(2_000_000, service()), null);
  const found = await estimateEmbedding(indexWith(3), service({ usdPerMillionTokens: 1 }));
  assert.deepEqual(found, { provider: "test", model: "m", texts: 3, tokens: 4, costUsd: 4e-6 });
});
