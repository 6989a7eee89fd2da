import type { DatabaseSync } from "node:sqlite";

/**
 * Inside a transaction of the caller: forgets every set of vectors, so that all are made again, from the cache where it
 * has them. Numbers of embedders are never used twice, so processes that hold vectors in memory notice.
 */
export function dropVectors(db: DatabaseSync): void {
  db.exec("DELETE FROM chunks_vec; DELETE FROM embedders");
}
