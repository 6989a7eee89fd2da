import type { VectorEntry } from "../store.ts";
import { findVectorFault } from "./vector-codes.ts";
import { toFloats } from "./vector-set.ts";

/** A row of a cache of vectors. `dims` is 0 for a text that holds nothing to embed, null where there is no such row. */
export interface CachedRow {
  readonly hash: string;
  readonly embedding: unknown;
  readonly dims: number | null;
}

/**
 * The vectors of rows, each text once. All have one length, that of the first where `dims` is 0; one that is not as it
 * should be is left out.
 */
export function toEntries(rows: Iterable<CachedRow>, dims: number): VectorEntry[] {
  const entries = new Map<string, VectorEntry>();
  let length = dims;
  for (const row of rows) {
    const { hash, embedding } = row;
    if (row.dims === null) continue;
    if (row.dims === 0) {
      entries.set(hash, { hash, vectors: [] });
      continue;
    }
    const vector = toFloats(embedding, row.dims);
    if (length === 0) length = row.dims;
    if (vector !== null && findVectorFault(vector, length) === null)
      entries.set(hash, { hash, vectors: [vector] });
  }
  return [...entries.values()];
}
