import type { DatabaseSync } from "node:sqlite";
import { type CodingName, vectorCodings } from "../vectors/vector-codes.ts";

/**
 * Inside a transaction of the caller: forgets every set of vectors, so that all are made again, from the cache where it
 * has them. Numbers of embedders are never used twice, so processes that hold vectors in memory notice.
 */
export function dropVectors(db: DatabaseSync): void {
  db.exec("DELETE FROM chunks_vec; DELETE FROM embedders");
}

interface SetRow {
  readonly id: number;
  readonly coding: CodingName;
  readonly dims: number;
  readonly done_key: number;
}

/**
 * Inside a transaction of the caller: deletes codes that belong to no chunk or to no embedder, and drops the set of an
 * embedder in which one has a wrong length. What is complete is found out anew. Says what was done.
 */
export function mendVectors(db: DatabaseSync): string[] {
  const done: string[] = [];
  const strays = db
    .prepare(
      `DELETE FROM chunks_vec WHERE key NOT IN (SELECT key FROM chunks)
         OR embedder NOT IN (SELECT id FROM embedders)`,
    )
    .run().changes;
  if (strays > 0) done.push(`deleted ${strays} vectors that belong to no chunk`);
  for (const set of db
    .prepare("SELECT id, coding, dims, done_key FROM embedders")
    .all() as unknown as SetRow[]) {
    if (isSound(db, set)) continue;
    db.prepare("DELETE FROM chunks_vec WHERE embedder = ?").run(set.id);
    db.prepare("DELETE FROM embedders WHERE id = ?").run(set.id);
    done.push("dropped damaged vectors, to make them again");
  }
  return done;
}

/** Codes begin with the number of vectors, and every chunk up to `done_key` has some. */
function isSound(db: DatabaseSync, { id, coding, dims, done_key }: SetRow): boolean {
  if (!Object.hasOwn(vectorCodings, coding) || !Number.isInteger(dims) || dims < 0) return false;
  const width = vectorCodings[coding].widthOf(dims);
  for (const { codes } of db.prepare("SELECT codes FROM chunks_vec WHERE embedder = ?").iterate(id)) {
    if (!(codes instanceof Uint8Array) || codes.length < 4) return false;
    const count = new DataView(codes.buffer, codes.byteOffset).getUint32(0, true);
    if (codes.length !== 4 + count * width) return false;
  }
  const holes = db.prepare(
    `SELECT ?2 > ifnull((SELECT seq FROM sqlite_sequence WHERE name = 'chunks'), 0) OR EXISTS (
       SELECT 1 FROM chunks c WHERE c.key <= ?2
         AND NOT EXISTS (SELECT 1 FROM chunks_vec v WHERE v.embedder = ?1 AND v.key = c.key)) AS some`,
  );
  return holes.get(id, done_key)?.["some"] === 0;
}
