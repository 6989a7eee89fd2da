import type { DatabaseSync } from "node:sqlite";

/** Several questions to one state of the index. */
export function inSnapshot<T>(db: DatabaseSync, work: () => T): T {
  db.exec("BEGIN");
  try {
    return work();
  } finally {
    if (db.isTransaction) db.exec("ROLLBACK");
  }
}

/** SQLite takes a negative limit for none at all. */
export function atMost(limit: number): number {
  return Number.isNaN(limit) ? 0 : Math.trunc(Math.min(Math.max(limit, 0), 2 ** 31 - 1));
}
