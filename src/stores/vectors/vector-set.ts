import { sha256 } from "../../text/hash.ts";
import type { EmbedderIdentity, VectorEntry } from "../store-vectors.ts";
import { findVectorFault } from "./vector-codes.ts";

/**
 * Identifies an embedder in the vector cache: a SHA-256 of its key and its id, because only the id covers everything
 * that changes vectors (dimensions, the file of a local model).
 */
export function providerKeyOf({ providerKey = "", id }: EmbedderIdentity): string {
  return sha256(JSON.stringify([providerKey, id]));
}

const dayMs = 24 * 3600 * 1000;

export interface RetireRule {
  readonly nowMs: number;
  /** A set that was unused for longer is dropped. */
  readonly idleMs: number;
  /** The maximum number of sets, including the one in use. */
  readonly maxSets: number;
}

export const retireRule: Omit<RetireRule, "nowMs"> = { idleMs: 7 * dayMs, maxSets: 3 };

/** Usage is recorded to the day, so that a search rarely has to write. */
export const usedWithinMs = dayMs;

/** Sets that can be dropped once the one in use is complete. `used_at` is in milliseconds. */
export function chooseRetired<VectorSet extends { readonly name: string; readonly used_at: number }>(
  sets: readonly VectorSet[],
  inUse: string,
  { nowMs, idleMs, maxSets }: RetireRule,
): VectorSet[] {
  const others = sets.filter(({ name }) => name !== inUse).sort((a, b) => b.used_at - a.used_at);
  // A set used in the future, before the clock was set back, must not stay forever.
  return others.filter(({ used_at }, index) => index >= maxSets - 1 || Math.abs(nowMs - used_at) > idleMs);
}

/** The numbers of a blob; null if it has another count. */
export function toFloats(blob: unknown, count: number): Float32Array | null {
  if (!(blob instanceof Uint8Array) || blob.byteLength !== 4 * count) return null;
  if (blob.byteOffset % 4 === 0) return new Float32Array(blob.buffer, blob.byteOffset, count);
  return new Float32Array(blob.slice().buffer);
}

export function toBlob(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

/** A row of the vector cache. `dims` is 0 for a text with nothing to embed, null if there is no such row. */
export interface CachedRow {
  readonly hash: string;
  readonly embedding: unknown;
  readonly dims: number | null;
}

/**
 * The vectors of rows, each text once. All have the same dimensions, those of the first if `dims` is 0; malformed ones
 * are left out.
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
