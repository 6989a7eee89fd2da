import type { Client } from "pg";

/**
 * Begins a transaction on a connection of its own that holds an advisory lock, and says whether it got it. The lock is
 * free when the connection ends, whatever a pooler does in between.
 *
 * The statement is sent whole, without values apart: those would make a portal, which keeps its snapshot until the
 * transaction ends. Vacuum would then remove nothing, and CREATE INDEX CONCURRENTLY would wait for it without end.
 */
export async function tryHoldLock(client: Client, name: string, number: number): Promise<boolean> {
  await client.query("BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0");
  const { rows } = await client.query<{ taken: boolean }>(
    `SELECT pg_try_advisory_xact_lock(hashtext(${client.escapeLiteral(name)}), ${Math.trunc(number)}) AS taken`,
  );
  return rows[0]?.taken === true;
}
