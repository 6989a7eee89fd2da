import { sha256 } from "../../text/hash.ts";
import type { EmbedderIdentity } from "../store.ts";

/**
 * What names an embedder in a cache of vectors: a SHA-256 of the key that the embedder brings and of its id, because
 * only the id names all that changes vectors (their length, the file of a local model).
 */
export function providerKeyOf({ providerKey = "", id }: EmbedderIdentity): string {
  return sha256(JSON.stringify([providerKey, id]));
}

const dayMs = 24 * 3600 * 1000;

export interface RetireRule {
  readonly nowMs: number;
  /** A set that was not used for longer goes. */
  readonly idleMs: number;
  /** Of the others, so many stay at most, the one in use included. */
  readonly mostSets: number;
}

/** A set that nobody used for so long is dropped, and of the others those above the number. */
export const retireRule: Omit<RetireRule, "nowMs"> = { idleMs: 7 * dayMs, mostSets: 3 };

/** When a set was used is noted to a day: a search should not have to write. */
export const usedWithinMs = dayMs;

/** Sets that can go when the one in use is complete. `used_at` is in milliseconds. */
export function chooseRetired<VectorSet extends { readonly name: string; readonly used_at: number }>(
  sets: readonly VectorSet[],
  inUse: string,
  { nowMs, idleMs, mostSets }: RetireRule,
): VectorSet[] {
  const others = sets.filter(({ name }) => name !== inUse).sort((a, b) => b.used_at - a.used_at);
  // A clock that was set back must not make a set of the future immortal.
  return others.filter(({ used_at }, index) => index >= mostSets - 1 || Math.abs(nowMs - used_at) > idleMs);
}

/** The numbers of a blob; null when it is not one of so many. */
export function toFloats(blob: unknown, count: number): Float32Array | null {
  if (!(blob instanceof Uint8Array) || blob.byteLength !== 4 * count) return null;
  if (blob.byteOffset % 4 === 0) return new Float32Array(blob.buffer, blob.byteOffset, count);
  return new Float32Array(blob.slice().buffer);
}

export function toBlob(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}
