import type { Sqlite } from "./load-sqlite.ts";

/**
 * Runs `work` while no other process creates the index or sets it aside. Without it, one process could delete the
 * leftovers of a lost database just when another has made a new one there and its `-wal` is alive.
 *
 * The lock is an empty database of its own: SQLite's file locks end with the process that holds them, however it ends.
 * The empty file stays; deleting it would let two processes hold "the" lock.
 */
export function withOpeningLock<T>({ DatabaseSync }: Sqlite, path: string, work: () => T): T {
  const lock = new DatabaseSync(`${path}.lock`, { timeout: 10_000 });
  try {
    lock.exec("BEGIN EXCLUSIVE");
    const result = work();
    lock.exec("COMMIT");
    return result;
  } finally {
    lock.close();
  }
}
