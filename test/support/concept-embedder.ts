import type { Embedder } from "../../src/embedders/embedder.ts";

/** Concepts that a text can be about; a query and a note may express one in different words. */
const concepts = [
  /quokka|wallaby|koala|marsupial|animal|pouch/gi,
  /ship|release|deploy|rollout|launch/gi,
  /money|price|invoice|billing|cost/gi,
  /rain|weather|storm|sun|forecast/gi,
];

export interface ConceptEmbedder extends Embedder {
  readonly queries: string[];
  /** How many times it was closed. */
  closings: number;
}

const dimensions = 64;

/** Orthogonal directions without zeros (rows of a Hadamard matrix). */
function directionOf(concept: number): number[] {
  const isOdd = (bits: number): boolean => bits.toString(2).replaceAll("0", "").length % 2 === 1;
  return Array.from({ length: dimensions }, (_, i) => (isOdd((concept + 1) & i) ? -1 : 1));
}

/** An embedder with predictable vectors: one direction for each concept, and one for texts without any. */
export function createConceptEmbedder(changes: Partial<Embedder> = {}): ConceptEmbedder {
  const vectorOf = (text: string): Float32Array => {
    const counts = concepts.map((pattern) => text.match(pattern)?.length ?? 0);
    const all = [...counts, counts.every((count) => count === 0) ? 1 : 0];
    const sum = new Float32Array(dimensions);
    for (const [concept, count] of all.entries()) {
      for (const [i, value] of directionOf(concept).entries()) sum[i]! += count * value;
    }
    const length = Math.hypot(...sum);
    return sum.map((value) => value / length);
  };
  const embedder: ConceptEmbedder = {
    specificationVersion: 1,
    id: "concepts-1",
    provider: "test",
    model: "concepts",
    dimensions,
    maxBatch: 16,
    vectorsPerText: "one",
    queries: [],
    closings: 0,
    embedDocuments: async (texts) => texts.map((text) => [vectorOf(text)]),
    async embedQuery(text) {
      embedder.queries.push(text);
      return vectorOf(text);
    },
    async [Symbol.asyncDispose]() {
      embedder.closings++;
    },
    ...changes,
  };
  return embedder;
}
