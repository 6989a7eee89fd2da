import type { Embedder } from "../src/embedders/embedder.ts";
import { toUnitLength } from "./made-up-notes.ts";

/** Its `EmbedderIdentity` for the store. */
export const stubIdentity = { id: "bench", provider: "bench", model: "bench" };

/** An embedder that costs nothing, to measure everything else. */
export function createStubEmbedder(dimensions: number, query: () => Float32Array): Embedder {
  const vectors = Array.from({ length: 64 }, (_, number) => unitVector(dimensions, number));
  return {
    specificationVersion: 1,
    ...stubIdentity,
    dimensions,
    maxBatch: 256,
    vectorsPerText: "one",
    embedDocuments: async (texts) => texts.map((text) => [vectors[text.length % vectors.length]!]),
    embedQuery: async () => query(),
    async [Symbol.asyncDispose]() {},
  };
}

function unitVector(dimensions: number, number: number): Float32Array {
  const vector = Float32Array.from({ length: dimensions }, (_, i) => Math.sin(i * (number + 1) + number));
  return toUnitLength(vector);
}
