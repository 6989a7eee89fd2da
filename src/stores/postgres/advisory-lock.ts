import { randomBytes } from "node:crypto";
import type { Client } from "pg";

export interface HeldLock {
  /** As a whole number of 64 bits. */
  readonly key: string;
  /** The server's process that holds it. */
  readonly backend: number;
}

/**
 * Begins a transaction on a connection of its own that holds an advisory lock with a number that nobody could have
 * foreseen. The lock is free when the connection ends, whatever a pooler does in between.
 *
 * The statement is sent whole, without values apart: those would make a portal, which keeps its snapshot until the
 * transaction ends. Vacuum would then remove nothing, and CREATE INDEX CONCURRENTLY would wait for it without end.
 */
export async function holdRandomLock(client: Client): Promise<HeldLock> {
  const key = randomBytes(8).readBigInt64BE().toString();
  await client.query("BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0");
  const { rows } = await client.query<{ backend: number }>(
    `SELECT pg_backend_pid() AS backend, pg_advisory_xact_lock('${key}'::int8)`,
  );
  return { key, backend: rows[0]!.backend };
}
