import { LonghandError } from "../../errors.ts";
import { findVectorFault } from "./vector-codes.ts";

/** Throws when a question cannot be compared with vectors of this length. */
export function refuseFaultyQuery(query: Float32Array, dimensions: number): void {
  const fault = findVectorFault(query, dimensions);
  if (fault === null) return;
  throw new LonghandError("vectors-invalid", `The vector to search with ${fault}.`, {
    hint: "Embed the question with the embedder whose vectors are searched.",
  });
}

/** Throws when the vectors of a text must not be kept: one of them would spoil every search. */
export function refuseFaultyVectors(
  vectors: readonly Float32Array[],
  {
    dims,
    embedderId,
    vectorsPerText,
  }: { dims: number; embedderId: string; vectorsPerText: "one" | "several" },
): void {
  for (const vector of vectors) {
    const fault = dims === 0 ? "has no numbers" : findVectorFault(vector, dims);
    if (fault !== null) throw invalid(embedderId, `one of them ${fault}`);
  }
  if (vectorsPerText === "one" && vectors.length > 1) {
    throw invalid(embedderId, `a text has ${vectors.length} instead of one`);
  }
}

function invalid(embedderId: string, why: string): LonghandError {
  return new LonghandError("vectors-invalid", `Could not keep vectors of ${embedderId}: ${why}.`, {
    hint: "Check that the configured model is an embedding model and that its dimensions fit; then sync again.",
  });
}
