import type { DatabaseSync } from "node:sqlite";
import { type Centre, type CodingName, vectorCodings } from "../vectors/vector-codes.ts";
import { toFloats } from "../vectors/vector-set.ts";
import { DamagedVectors } from "./sqlite-failure.ts";

/** The vector set of one embedder: a row of `embedders`. */
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
 * The coding a set should have now. Above `maxBytesCoded` chunks, single vectors are coded by their signs: they are
 * loaded and compared several times as fast as bytes, and more of the best are then compared exactly. Below half of it,
 * by bytes again.
 */
export function chooseCoding(set: EmbedderRow, chunkCount: number, maxBytesCoded: number): CodingName {
  if (set.vectors_per_text === "several" || set.dims === 0) return set.coding;
  if (chunkCount > maxBytesCoded) return "centred";
  return chunkCount < maxBytesCoded / 2 ? "bytes" : set.coding;
}

function toEmbedderRow(row: Record<string, unknown>): EmbedderRow {
  const { centre, ...rest } = row as unknown as EmbedderRow & { centre: unknown };
  const isKnown = Object.hasOwn(vectorCodings, rest.coding);
  const floats = toFloats(centre, rest.dims);
  if (!isKnown || (rest.coding === "centred") !== (floats !== null)) {
    throw new DamagedVectors("a row of the table embedders names an unknown coding");
  }
  return { ...rest, centre: floats };
}
