import type { DatabaseSync } from "node:sqlite";
import { columnsOf, openWith } from "./sqlite/foreign-database.ts";

/** Vectors in an OpenClaw index, by the hash of their text. */
export interface ForeignVectors extends Disposable {
  /** Their models, the one with the most vectors first. */
  readonly made: readonly { readonly provider: string; readonly model: string; readonly vectors: number }[];
  /** Unit vectors of these texts, all with the same dimensions; a text without one is absent. */
  find(wanted: WantedVectors, hashes: readonly string[]): Map<string, Float32Array>;
}

export interface WantedVectors {
  readonly provider: string;
  readonly model: string;
  /** Null accepts any dimensions. */
  readonly dimensions: number | null;
}

/** OpenClaw's vector cache: in its own file (`embedding_cache`), since 2026.9 in the agent's database. */
const caches = ["memory_embedding_cache", "embedding_cache"];
const hashesAtOnce = 400;

/** Opens an OpenClaw index for reading; null if it does not exist or has no vector cache. */
export function openOpenclawVectors(file: string): ForeignVectors | null {
  return openWith(file, (database) => {
    const { ask, db } = database;
    const table = ask(() => caches.find((name) => columnsOf(db, name).has("provider_key")));
    if (table === undefined) return null;
    return {
      made: ask(() => listMade(db, table)),
      find: (wanted, hashes) => ask(() => find(db, table, wanted, hashes)),
      [Symbol.dispose]: () => database[Symbol.dispose](),
    };
  });
}

function listMade(db: DatabaseSync, table: string): ForeignVectors["made"] {
  const rows = db
    .prepare(`SELECT provider, model, count(*) AS vectors FROM ${table} GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2`)
    .all();
  return rows.map((row) => ({
    provider: String(row["provider"]),
    model: String(row["model"]),
    vectors: Number(row["vectors"]),
  }));
}

function find(
  db: DatabaseSync,
  table: string,
  { provider, model, dimensions }: WantedVectors,
  hashes: readonly string[],
): Map<string, Float32Array> {
  const found = new Map<string, Float32Array>();
  const key = lastKey(db, table, provider, model);
  let length = dimensions;
  for (let at = 0; key !== undefined && at < hashes.length; at += hashesAtOnce) {
    const some = hashes.slice(at, at + hashesAtOnce);
    const rows = db
      .prepare(
        `SELECT hash, embedding FROM ${table} WHERE provider = ? AND model = ? AND provider_key = ?
         AND hash IN (${some.map(() => "?").join()})`,
      )
      .all(provider, model, key, ...some);
    for (const { hash, embedding } of rows) {
      const vector = toUnitVector(embedding);
      length ??= vector?.length ?? null;
      if (vector !== null && vector.length === length) found.set(String(hash), vector);
    }
  }
  return found;
}

/** The key depends on address and headers; if there are several, the last used is the current one. */
function lastKey(db: DatabaseSync, table: string, provider: string, model: string): string | undefined {
  const row = db
    .prepare(
      `SELECT provider_key AS key FROM ${table} WHERE provider = ? AND model = ?
       GROUP BY provider_key ORDER BY max(updated_at) DESC LIMIT 1`,
    )
    .get(provider, model);
  return row === undefined ? undefined : String(row["key"]);
}

/** A JSON array, or since 2026.9 64-bit floats; null if it is not a vector. */
function toUnitVector(embedding: unknown): Float32Array | null {
  const numbers = typeof embedding === "string" ? parseList(embedding) : readDoubles(embedding);
  const norm = Math.sqrt(numbers.reduce((sum, number) => sum + number * number, 0));
  return Number.isFinite(norm) && norm > 0 ? Float32Array.from(numbers, (number) => number / norm) : null;
}

function parseList(text: string): number[] {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) && list.every((each) => typeof each === "number") ? list : [];
  } catch {
    return [];
  }
}

function readDoubles(bytes: unknown): number[] {
  if (!(bytes instanceof Uint8Array) || bytes.byteLength % 8 !== 0) return [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.byteLength / 8 }, (_, index) => view.getFloat64(index * 8, true));
}
