import { sha256 } from "../../text/hash.ts";
import type { EmbedderIdentity, EmbedderUsage, VectorEntry } from "../store-vectors.ts";
import { findVectorFault } from "./vector-codes.ts";

/**
 * Identifies an embedder in the vector cache: a SHA-256 of its key and its id, because only the id covers everything
 * that changes vectors (dimensions, the file of a local model).
 */
export function providerKeyOf({ providerKey = "", id }: EmbedderIdentity): string {
  return sha256(JSON.stringify([providerKey, id]));
}

/** The rows of one embedder in the vector cache. */
export interface CacheOwner {
  readonly provider: string;
  readonly model: string;
  readonly provider_key: string;
}

export function cacheOwnerOf(embedder: EmbedderIdentity): CacheOwner {
  const { provider, model } = embedder;
  return { provider, model, provider_key: providerKeyOf(embedder) };
}

/** An estimate from UTF-8: Latin text has about four bytes per token, Chinese three. */
export function estimateTokens(sizeBytes: number): number {
  return Math.ceil(sizeBytes / 3);
}

export const noUsage: EmbedderUsage = { requests: 0, tokens: 0, texts: 0, costUsd: 0 };

/** A vector set; `used_at` is in milliseconds. */
interface UsedSet {
  readonly name: string;
  readonly used_at: number;
}

const dayMs = 24 * 3600 * 1000;
/** A set that was unused for longer is dropped. */
const maxIdleMs = 7 * dayMs;
/** Including the one in use. */
const maxSets = 3;

/** Sets that can be dropped once the one in use is complete. */
export function chooseRetired<Retired extends UsedSet>(
  sets: readonly Retired[],
  inUse: string,
  nowMs: number,
): Retired[] {
  const others = sets.filter(({ name }) => name !== inUse).sort((a, b) => b.used_at - a.used_at);
  // A set used in the future, before the clock was set back, must not stay forever.
  return others.filter(({ used_at }, index) => index >= maxSets - 1 || Math.abs(nowMs - used_at) > maxIdleMs);
}

/** Usage is recorded to the day, so that a search rarely has to write. */
export function isUsedLately({ used_at }: Pick<UsedSet, "used_at">, nowMs: number): boolean {
  return Math.abs(nowMs - used_at) < dayMs;
}

/**
 * Records that a set was searched, once a day and without waiting: a search must not fail or wait if the index is busy
 * or read-only. Only a date can get lost.
 */
export function createUseRecorder(
  now: () => number,
  record: (name: string) => Promise<unknown>,
): (set: UsedSet) => void {
  const recorded = new Map<string, number>();
  return ({ name, used_at }) => {
    const last = Math.max(used_at, recorded.get(name) ?? Number.NEGATIVE_INFINITY);
    if (isUsedLately({ used_at: last }, now())) return;
    recorded.set(name, now());
    record(name).catch(() => {});
  };
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
