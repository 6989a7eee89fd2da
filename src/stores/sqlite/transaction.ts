import type { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { monotonicMs } from "../../timing.ts";
import { classifyFailure } from "./sqlite-failure.ts";

/**
 * Runs `work` in one write transaction and commits, or rolls back and throws. Waits up to `waitMs` for another process
 * without blocking: SQLite's own busy timeout would block the event loop, so the connection has a short one and the
 * attempt is repeated here. Once `BEGIN IMMEDIATE` has succeeded, nothing inside can fail as busy, except the commit of
 * a database without a WAL.
 */
export async function inTransaction<T>(
  db: DatabaseSync,
  waitMs: number,
  work: () => T | Promise<T>,
): Promise<T> {
  await begin(db, waitMs);
  try {
    const result = await work();
    commit(db);
    return result;
  } catch (error) {
    if (db.isOpen && db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
}

/** Retries while another process holds the lock, without blocking, until `waitMs` have passed. */
export async function whenNotBusy<T>(waitMs: number, attempt: () => T): Promise<T> {
  const deadline = monotonicMs() + waitMs;
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, 25)) {
    try {
      return attempt();
    } catch (error) {
      if (classifyFailure(error) !== "busy" || monotonicMs() >= deadline) throw error;
    }
    await setTimeout(pauseMs);
  }
}

/**
 * Without a WAL the readers of other processes must end first. This wait blocks: a read of this process would find the
 * database locked, and hold up the commit that it waits for.
 */
function commit(db: DatabaseSync): void {
  try {
    db.exec("COMMIT");
  } catch (error) {
    if (classifyFailure(error) !== "busy") throw error;
    const { timeout } = db.prepare("PRAGMA busy_timeout").get() as { timeout: number };
    db.exec(`PRAGMA busy_timeout = ${commitWaitMs}`);
    try {
      db.exec("COMMIT");
    } finally {
      db.exec(`PRAGMA busy_timeout = ${timeout}`);
    }
  }
}

const commitWaitMs = 10_000;

function begin(db: DatabaseSync, waitMs: number): Promise<void> {
  return whenNotBusy(waitMs, () => db.exec("BEGIN IMMEDIATE"));
}

/** Several queries on one snapshot. */
export function inSnapshot<T>(db: DatabaseSync, work: () => T): T {
  db.exec("BEGIN");
  try {
    return work();
  } finally {
    if (db.isTransaction) db.exec("ROLLBACK");
  }
}
