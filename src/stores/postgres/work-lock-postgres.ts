import { hostname } from "node:os";
import type { Client } from "pg";
import type { HeldWork, WorkHolder, WorkLock } from "../work-lock.ts";
import { tryHoldLock } from "./advisory-lock.ts";
import type { Database, Sql } from "./database.ts";
import { explainFailure } from "./postgres-failure.ts";

export interface WorkLockParts {
  /** Connects when that was not done yet. */
  readonly connect: () => Promise<{ readonly db: Database; readonly agentId: number }>;
  readonly name: string;
}

const heartbeatMs = 2000;
const betweenReportsMs = 1000;

/** One number of the advisory lock is made of it, the other is that of the agent. */
const lockNameOf = (work: string): string => `longhand work ${work}`;

/**
 * A lock between all machines that share a database. It is an advisory lock of a transaction that stays open on a
 * connection of its own: it is free as soon as that connection is gone, and works through a pooler, which gives each
 * transaction a session. Such a transaction holds up nothing: it has read and written nothing. What its holder does
 * stands in the table `work`.
 */
export function createPostgresWorkLock({ connect, name }: WorkLockParts): WorkLock {
  return {
    async tryTake(doing) {
      const { db, agentId } = await connect();
      // Whoever waits for it asks often, and need not open a connection each time.
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
        const isTaken = await tryHoldLock(client, lockNameOf(name), agentId);
        if (isTaken) return hold({ db, agentId, name, client, doing, isIntact: () => !isLost });
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

async function isTaken(sql: Sql, name: string, agentId: number): Promise<boolean> {
  const rows = await sql(
    `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 2
       AND classid = (hashtext($1)::int8 & 4294967295)::oid AND objid = $2::int4::oid
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [lockNameOf(name), agentId],
  );
  return rows.length > 0;
}

interface Held {
  readonly db: Database;
  readonly agentId: number;
  readonly name: string;
  readonly client: Client;
  readonly doing: string;
  readonly isIntact: () => boolean;
}

function hold({ db, agentId, name, client, doing: first, isIntact }: Held): HeldWork {
  const since = new Date();
  let doing = first;
  let told: Promise<void> = Promise.resolve();
  let isTelling = false;
  let toldAtMs = Number.NEGATIVE_INFINITY;

  /** Without it others wait for a holder that has no name, so a failure here is no reason to stop working. */
  const tell = (): void => {
    if (isTelling) return;
    isTelling = true;
    toldAtMs = performance.now();
    told = db
      .write(async (sql) => {
        await sql(
          `INSERT INTO longhand.work (agent_id, name, pid, host, doing, since, heard_at)
           VALUES ($1, $2, $3, $4, $5, $6, now())
           ON CONFLICT (agent_id, name) DO UPDATE SET pid = excluded.pid, host = excluded.host,
             doing = excluded.doing, since = excluded.since, heard_at = excluded.heard_at`,
          [agentId, name, process.pid, hostname(), doing, since],
        );
      })
      .catch(() => {})
      .finally(() => {
        isTelling = false;
      });
  };
  tell();
  const beat = setInterval(tell, heartbeatMs).unref();

  return {
    report(next) {
      doing = next;
      if (performance.now() - toldAtMs >= betweenReportsMs) tell();
    },
    isIntact,
    async [Symbol.asyncDispose]() {
      clearInterval(beat);
      await told;
      await client.end().catch(() => {});
    },
  };
}
