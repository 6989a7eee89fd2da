import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import type { Client } from "pg";
import { LonghandError } from "../../errors.ts";
import { monotonicMs } from "../../timing.ts";
import type { HeldLock, WorkHolder, WorkLock } from "../work-lock.ts";
import type { Database, Sql } from "./database.ts";
import { explainFailure } from "./postgres-failure.ts";

export interface WorkLockParts {
  /** Connects on first use. */
  readonly connect: () => Promise<{ readonly db: Database; readonly agentId: number }>;
  readonly name: string;
}

const heartbeatMs = 2000;
const betweenReportsMs = 1000;

/**
 * A lock between all machines that share a database. It is an advisory lock of a transaction that stays open on its own
 * connection: it is released when that connection ends, and works through a pooler, which assigns a session to each
 * transaction. The transaction blocks nothing else: it has read and written nothing.
 *
 * Any role of the database can take any advisory lock. So the key is random each time, and its holder is recorded in the
 * table `work`, which no other role can write: a lock counts only while that session holds it.
 */
export function createPostgresWorkLock({ connect, name }: WorkLockParts): WorkLock {
  return {
    async tryAcquire(doing) {
      const { db, agentId } = await connect();
      // Waiting callers ask often, and need not open a connection each time.
      if (await db.read((sql) => isTaken(sql, name, agentId))) return null;
      const client = db.createClient();
      let isLost = false;
      client.on("error", () => {
        isLost = true;
      });
      client.on("end", () => {
        isLost = true;
      });
      try {
        await client.connect();
        const lock = await holdRandomLock(client);
        const since = new Date();
        const isOurs = await claim(db, { agentId, name, doing, since, ...lock });
        if (isOurs) return hold({ db, agentId, name, client, doing, since, isIntact: () => !isLost });
      } catch (error) {
        await client.end().catch(() => {});
        throw explainFailure(error, db.place);
      }
      await client.end();
      return null;
    },
    async holder() {
      const { db, agentId } = await connect();
      return await db.read(async (sql) => {
        if (!(await isTaken(sql, name, agentId))) return null;
        const [row] = await sql<Omit<WorkHolder, "silentMs"> & { host: string; silent_ms: number }>(
          `SELECT pid, host, doing, since, (extract(epoch FROM now() - heard_at) * 1000)::float8 AS silent_ms
           FROM longhand.work WHERE agent_id = $1 AND name = $2`,
          [agentId, name],
        );
        if (row === undefined) return null;
        const { pid, host, doing, since, silent_ms } = row;
        return {
          pid,
          doing: host === hostname() ? doing : `${doing} on ${host}`,
          since,
          silentMs: Math.max(0, silent_ms),
        };
      });
    },
  };
}

/** Whether the session in a row `w` of `work` still holds the lock. */
const isHeld = `EXISTS (SELECT 1 FROM pg_locks l WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
  AND l.pid = w.backend AND l.classid = ((w.lock_key >> 32) & 4294967295)::oid
  AND l.objid = (w.lock_key & 4294967295)::oid
  AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()))`;

async function isTaken(sql: Sql, name: string, agentId: number): Promise<boolean> {
  const rows = await sql(
    `SELECT 1 FROM longhand.work w WHERE w.agent_id = $1 AND w.name = $2 AND ${isHeld}`,
    [agentId, name],
  );
  return rows.length > 0;
}

interface Claim {
  readonly agentId: number;
  readonly name: string;
  readonly doing: string;
  readonly since: Date;
  readonly key: string;
  readonly backend: number;
}

/** False if another process was faster. In a read-only database there is nothing to coordinate. */
async function claim(db: Database, { agentId, name, doing, since, key, backend }: Claim): Promise<boolean> {
  try {
    const rows = await db.write((sql) =>
      sql(
        `INSERT INTO longhand.work AS w (agent_id, name, pid, host, doing, since, heard_at, lock_key, backend)
         VALUES ($1, $2, $3, $4, $5, $6, now(), $7, $8)
         ON CONFLICT (agent_id, name) DO UPDATE SET pid = excluded.pid, host = excluded.host, doing = excluded.doing,
           since = excluded.since, heard_at = excluded.heard_at, lock_key = excluded.lock_key,
           backend = excluded.backend
         WHERE NOT ${isHeld} RETURNING 1`,
        [agentId, name, process.pid, hostname(), doing, since, key, backend],
      ),
    );
    return rows.length > 0;
  } catch (error) {
    if (error instanceof LonghandError && error.code === "index-unusable") return true;
    throw error;
  }
}

interface Held {
  readonly db: Database;
  readonly agentId: number;
  readonly name: string;
  readonly client: Client;
  readonly doing: string;
  readonly since: Date;
  readonly isIntact: () => boolean;
}

function hold({ db, agentId, name, client, doing: first, since, isIntact }: Held): HeldLock {
  let doing = first;
  let reported: Promise<void> = Promise.resolve();
  let isReporting = false;
  let reportedAtMs = monotonicMs();

  /** Without it others wait for an unnamed holder, so a failure here is no reason to stop. */
  const tell = (): void => {
    if (isReporting) return;
    isReporting = true;
    reportedAtMs = monotonicMs();
    reported = db
      .write(async (sql) => {
        await sql(
          `UPDATE longhand.work SET doing = $3, heard_at = now()
           WHERE agent_id = $1 AND name = $2 AND pid = $4 AND host = $5 AND since = $6`,
          [agentId, name, doing, process.pid, hostname(), since],
        );
      })
      .catch(() => {})
      .finally(() => {
        isReporting = false;
      });
  };
  const beat = setInterval(tell, heartbeatMs).unref();

  return {
    report(next) {
      doing = next;
      if (monotonicMs() - reportedAtMs >= betweenReportsMs) tell();
    },
    isIntact,
    async [Symbol.asyncDispose]() {
      clearInterval(beat);
      await reported;
      await client.end().catch(() => {});
    },
  };
}

interface AdvisoryLock {
  /** A 64-bit integer. */
  readonly key: string;
  /** The server process that holds it. */
  readonly backend: number;
}

/**
 * Begins a transaction that holds an advisory lock with an unpredictable key. The lock is released when the connection
 * ends, whatever a pooler does in between.
 *
 * The statement has no bound parameters: those would create a portal, which keeps its snapshot until the transaction
 * ends. Vacuum would then remove nothing, and CREATE INDEX CONCURRENTLY would wait forever.
 */
async function holdRandomLock(client: Client): Promise<AdvisoryLock> {
  const key = randomBytes(8).readBigInt64BE().toString();
  await client.query("BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0");
  const { rows } = await client.query<{ backend: number }>(
    `SELECT pg_backend_pid() AS backend, pg_advisory_xact_lock('${key}'::int8)`,
  );
  return { key, backend: rows[0]!.backend };
}
