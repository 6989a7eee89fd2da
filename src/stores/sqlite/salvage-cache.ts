import type { DatabaseSync } from "node:sqlite";
import type { Slices } from "../../timing.ts";
import { findVectorFault } from "../vectors/vector-codes.ts";
import { toFloats } from "../vectors/vector-set.ts";
import { type Sqlite, sqlitePath } from "./load-sqlite.ts";

/**
 * Copies the cached vectors of a quarantined index: they may have cost money, and the damage is often elsewhere. A row
 * contains the hash of its text and the vector, and is taken only if it is well-formed. In the caller's transaction.
 * Returns how many were copied.
 */
export async function salvageCache(
  sqlite: Sqlite,
  damagedPath: string,
  into: DatabaseSync,
  slices: Slices,
): Promise<number> {
  const keep = into.prepare("INSERT OR IGNORE INTO embedding_cache VALUES (?, ?, ?, ?, ?, ?, ?)");
  let taken = 0;
  for (const row of readSoundRows(sqlite, damagedPath)) {
    const { provider, model, provider_key, hash, embedding, dims, updated_at } = row;
    taken += Number(keep.run(provider, model, provider_key, hash, embedding, dims, updated_at).changes);
    if (slices.isOver()) await slices.next();
  }
  return taken;
}

interface CacheRow {
  readonly place: number;
  readonly provider: string;
  readonly model: string;
  readonly provider_key: string;
  readonly hash: string;
  readonly embedding: Uint8Array;
  readonly dims: number;
  readonly updated_at: number;
}

const rowsAtOnce = 200;

/** Ends at the first row that SQLite cannot read. */
function* readSoundRows(sqlite: Sqlite, path: string): Generator<CacheRow> {
  let db: DatabaseSync | null = null;
  try {
    db = new sqlite.DatabaseSync(sqlitePath(path), { readOnly: true });
    db.exec("PRAGMA trusted_schema = OFF; PRAGMA mmap_size = 0;");
    const rows = db.prepare(
      `SELECT rowid AS place, * FROM embedding_cache WHERE rowid > ? ORDER BY rowid LIMIT ${rowsAtOnce}`,
    );
    for (let last = 0; ; ) {
      const group = rows.all(last) as unknown as CacheRow[];
      for (const row of group) {
        // In a damaged table the next rows may be earlier ones, forever.
        if (!(row.place > last)) return;
        last = row.place;
        if (isSound(row)) yield row;
      }
      if (group.length < rowsAtOnce) return;
    }
  } catch {
    // The damage of a quarantined file has already been reported.
  } finally {
    if (db?.isOpen) db.close();
  }
}

/** Well-formed: hex hashes, the stated dimensions, unit length. */
function isSound({ provider, model, provider_key, hash, embedding, dims, updated_at }: CacheRow): boolean {
  if (![provider, model].every((name) => typeof name === "string")) return false;
  if (![provider_key, hash].every((digits) => /^[0-9a-f]{64}$/.test(digits))) return false;
  if (!Number.isInteger(updated_at) || !Number.isInteger(dims) || dims < 1) return false;
  const vector = toFloats(embedding, dims);
  if (vector === null || findVectorFault(vector, dims) !== null) return false;
  const squares = vector.reduce((sum, value) => sum + value * value, 0);
  return Math.abs(squares - 1) < 1e-3;
}
