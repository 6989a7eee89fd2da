import type { DatabaseSync } from "node:sqlite";
import { sha256 } from "../../text/hash.ts";
import type { EmbedderIdentity } from "../store.ts";
import { type Centre, type CodingName, vectorCodings } from "../vector-codes.ts";
import { DamagedVectors } from "./sqlite-failure.ts";

/** The set of vectors of one embedder, as the table `embedders` has it. */
export interface EmbedderRow {
  readonly id: number;
  readonly name: string;
  readonly provider: string;
  readonly model: string;
  readonly provider_key: string;
  readonly vectors_per_text: "one" | "several";
  readonly coding: CodingName;
  /** 0 while there is no vector. */
  readonly dims: number;
  readonly done_key: number;
  readonly used_at: number;
  readonly centre: Centre;
}

/**
 * What stands in `provider_key`: a SHA-256 of the key that the embedder brings and of its id, because only the id names
 * all that changes vectors (their length, the file of a local model).
 */
export function providerKeyOf({ providerKey = "", id }: EmbedderIdentity): string {
  return sha256(JSON.stringify([providerKey, id]));
}

export function prepareFindEmbedder(db: DatabaseSync): (name: string) => EmbedderRow | null {
  const find = db.prepare("SELECT * FROM embedders WHERE name = ?");
  return (name) => {
    const row = find.get(name);
    return row === undefined ? null : toEmbedderRow(row);
  };
}

export function prepareListEmbedders(db: DatabaseSync): () => EmbedderRow[] {
  const list = db.prepare("SELECT * FROM embedders ORDER BY id");
  return () => list.all().map(toEmbedderRow);
}

/**
 * How a set should be coded now. Above `mostBytesCoded` chunks one vector a text is coded by its signs: they are loaded
 * and compared several times as fast as bytes, and more of the best are then compared exactly. Below half of it, by
 * bytes again.
 */
export function chooseCoding(set: EmbedderRow, chunkCount: number, mostBytesCoded: number): CodingName {
  if (set.vectors_per_text === "several" || set.dims === 0) return set.coding;
  if (chunkCount > mostBytesCoded) return "centred";
  return chunkCount < mostBytesCoded / 2 ? "bytes" : set.coding;
}

export interface RetireRule {
  readonly nowMs: number;
  /** A set that was not used for longer goes. */
  readonly idleMs: number;
  /** Of the others, so many stay at most, the one in use included. */
  readonly mostSets: number;
}

/** Sets that can go when the one in use is complete. */
export function chooseRetired(
  sets: readonly EmbedderRow[],
  inUse: string,
  { nowMs, idleMs, mostSets }: RetireRule,
): EmbedderRow[] {
  const others = sets.filter(({ name }) => name !== inUse).sort((a, b) => b.used_at - a.used_at);
  // A clock that was set back must not make a set of the future immortal.
  return others.filter(({ used_at }, index) => index >= mostSets - 1 || Math.abs(nowMs - used_at) > idleMs);
}

function toEmbedderRow(row: Record<string, unknown>): EmbedderRow {
  const { centre, ...rest } = row as unknown as EmbedderRow & { centre: unknown };
  const isKnown = Object.hasOwn(vectorCodings, rest.coding);
  const floats = centre instanceof Uint8Array ? toFloats(centre, rest.dims) : null;
  if (!isKnown || (rest.coding === "centred") !== (floats !== null)) {
    throw new DamagedVectors("a row of the table embedders names an unknown coding");
  }
  return { ...rest, centre: floats };
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
