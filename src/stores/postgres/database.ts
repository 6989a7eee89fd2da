import { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client, ClientConfig, Pool, PoolClient } from "pg";
import { createTaskQueue } from "../../task-queue.ts";
import { monotonicMs } from "../../timing.ts";
import { loadOptionalPackage } from "../optional-package.ts";
import { bindSql } from "./bind-sql.ts";
import { classifyFailure, explainFailure, sqlStateOf } from "./postgres-failure.ts";
import { toSqlText } from "./sql-values.ts";

type Row = Record<string, unknown>;

/**
 * One statement within a transaction, with bound values. Statements that are not awaited are sent at once and executed
 * in order: independent ones belong in one `Promise.all`, which is one round trip.
 */
export type Sql = <T extends object = Row>(text: string, values?: readonly unknown[]) => Promise<T[]>;

export interface Database {
  /** The address without credentials. */
  readonly place: string;
  /** Several queries on one snapshot. */
  read<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /**
   * One transaction; this process runs one at a time. `once`: not repeated if the connection broke during the commit,
   * because then the outcome is unknown.
   */
  write<T>(work: (sql: Sql) => Promise<T>, options?: { readonly once?: boolean }): Promise<T>;
  /**
   * A dedicated connection outside any transaction, for what cannot be done inside one. It is closed afterwards.
   * `options` are session settings; a pooler that refuses them is used without. SET would leak to other users of a
   * pooled session.
   */
  withClient<T>(work: (client: Client) => Promise<T>, session?: { readonly options: string }): Promise<T>;
  /** For long-lived connections. Not connected yet. */
  createClient(): Client;
  /** Later calls fail. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly url: string;
  readonly place: string;
  /** Whose rows are visible. Set in each transaction, because a pooler may use another session for each. */
  readonly agent: string;
  readonly maxConnections: number;
  /** How long an operation is retried while the server cannot be reached. */
  readonly retryForMs?: number;
}

/**
 * A prepared statement does not exist, or exists already: a pooler gives each transaction another session, and does not
 * keep track of statements as PgBouncer does from 1.21 on. From then on, none are prepared.
 */
const lostStatement = new Set(["26000", "42P05"]);
/** PgBouncer's message. */
const refusedSettings = /unsupported startup parameter/;
const abortedTransaction = "25P02";
const connectTimeoutMs = 5000;
const firstPauseMs = 50;
/** After the server was unavailable, callers within this time try only once. */
const stillAwayMs = 2000;
const maxConflicts = 8;
const readLimitMs = 30_000;
/** A lock on a whole table (VACUUM FULL, CREATE INDEX, a schema change) must not block callers. */
const tableLockLimitMs = 2000;
/** Other processes of ours finish within this time. */
const ownLockLimitMs = 15_000;
/** A server whose machine vanished sends nothing, and TCP would wait for hours. */
const answerLimitMs = 120_000;

const limitTableLocks = `SET LOCAL lock_timeout = ${tableLockLimitMs}`;
const limitOwnLocks = `SET LOCAL lock_timeout = ${ownLockLimitMs}`;

/** From here to the end of the transaction, locks are those of other processes of ours, and worth waiting for. */
export async function awaitOwnLocks(sql: Sql): Promise<void> {
  await sql(limitOwnLocks);
}

/** Waits longer for the row locks of one statement than for a locked table. */
export async function lockRows<T extends object>(
  sql: Sql,
  table: string,
  text: string,
  values: readonly unknown[],
): Promise<T[]> {
  // Sent together. The first takes the table lock that the statement needs, and locks no row.
  const [, , rows] = await Promise.all([
    sql(`SELECT FROM ${table} WHERE false FOR UPDATE`),
    sql(limitOwnLocks),
    sql<T>(text, values),
    sql(limitTableLocks),
  ]);
  return rows;
}

export function openDatabase(pg: Pg, options: DatabaseOptions): Database {
  const { url, place, agent, maxConnections, retryForMs = 3000 } = options;
  const sockets = new Set<Socket>();
  const settings: ClientConfig = {
    connectionString: toConnectionUrl(url),
    application_name: "longhand",
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    stream: () => openSocket(sockets),
  };
  const pool: Pool = new pg.Pool({
    ...settings,
    max: maxConnections,
    pipeline: true,
    query_timeout: answerLimitMs,
    idleTimeoutMillis: 10_000,
    allowExitOnIdle: true,
  });
  // A broken connection fails the running query, or is replaced by the next caller that needs one.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  const writes = createTaskQueue();
  const setAgent = `SET LOCAL longhand.agent = ${pg.escapeLiteral(toSqlText(agent))}`;
  // Our statements are short: JIT compilation would take longer than execution.
  const begin = (mode: string): string => `BEGIN${mode}; ${setAgent}; SET LOCAL jit = off`;
  const beginReading = `${begin(" ISOLATION LEVEL REPEATABLE READ READ ONLY")}; ${limitTableLocks}; SET LOCAL statement_timeout = ${readLimitMs}`;
  const beginWriting = `${begin("")}; ${limitTableLocks}; SET LOCAL statement_timeout = ${answerLimitMs}`;
  let awayAtMs = Number.NEGATIVE_INFINITY;
  let isPreparing = true;
  let closing: Promise<void> | null = null;

  async function attempt<T>(
    kind: "read" | "write",
    work: (sql: Sql) => Promise<T>,
    { isPrepared, onCommit }: { readonly isPrepared: boolean; readonly onCommit: () => void },
  ): Promise<T> {
    const client = await pool.connect();
    // Sent along with the first statement, which cannot succeed if this fails.
    const beginning = client.query(kind === "read" ? beginReading : beginWriting).then(
      () => null,
      (error: unknown) => ({ error }),
    );
    let fault: unknown = null;
    let isOver = false;
    let cause: unknown = null;
    const onFailed = (error: unknown): void => {
      cause ??= error;
    };
    try {
      const result = await work(bindSql(client, { isOver: () => isOver, onFailed, isPrepared }));
      const refusal = await beginning;
      if (refusal !== null) throw refusal.error;
      onCommit();
      const ended = client.query("COMMIT");
      // The results are complete; the next user of the connection is served after this.
      if (kind === "read") ended.catch(() => {});
      else await ended;
      return result;
    } catch (error) {
      // If one of several statements sent together fails, the later ones are refused only because of it.
      fault = (await beginning)?.error ?? (sqlStateOf(error) === abortedTransaction ? cause : error);
      throw fault;
    } finally {
      isOver = true;
      await leave(client, fault);
    }
  }

  async function run<T>(kind: "read" | "write", work: (sql: Sql) => Promise<T>, once: boolean): Promise<T> {
    const startedMs = monotonicMs();
    const limitMs = startedMs - awayAtMs < stillAwayMs ? 0 : retryForMs;
    let pauseMs = firstPauseMs;
    for (let conflicts = 0; ; ) {
      let isCommitting = false;
      const isPrepared = kind === "read" && isPreparing;
      try {
        const onCommit = () => {
          isCommitting = true;
        };
        const result = await attempt(kind, work, { isPrepared, onCommit });
        awayAtMs = Number.NEGATIVE_INFINITY;
        return result;
      } catch (error) {
        if (isPrepared && lostStatement.has(sqlStateOf(error) ?? "")) {
          isPreparing = false;
          continue;
        }
        const failure = classifyFailure(error);
        const mayRepeat = !(once && isCommitting && failure === "unreachable");
        const elapsedMs = monotonicMs() - startedMs;
        const isWorthIt =
          failure === "conflict"
            ? ++conflicts < maxConflicts
            : (failure === "unreachable" || failure === "read-only") && elapsedMs + pauseMs < limitMs;
        if (!mayRepeat || !isWorthIt) {
          if (failure === "unreachable" || failure === "read-only") awayAtMs = monotonicMs();
          throw explainFailure(error, place);
        }
      }
      await sleep(pauseMs);
      pauseMs = Math.min(pauseMs * 2, 800);
    }
  }

  return {
    place,
    read: (work) => run("read", work, false),
    write: (work, { once = false } = {}) => writes.run(() => run("write", work, once)),
    withClient: async (work, session = undefined) => {
      let client = new pg.Client({ ...settings, ...session });
      // The running query reports the failure.
      client.on("error", () => {});
      try {
        await client.connect().catch(async (error: unknown) => {
          if (session === undefined || !refusedSettings.test(String(error))) throw error;
          client = new pg.Client(settings);
          client.on("error", () => {});
          await client.connect();
        });
        return await work(client);
      } catch (error) {
        throw explainFailure(error, place);
      } finally {
        await client.end().catch(() => {});
      }
    },
    createClient: () => new pg.Client(settings),
    close: () => {
      closing ??= writes
        .run(() => pool.end())
        .finally(() => {
          for (const socket of sockets) socket.unref();
        });
      return closing;
    },
  };
}

/**
 * The client leaves a connection open if the login failed. The server ends it after a minute, which is too long to
 * wait.
 */
function openSocket(sockets: Set<Socket>): Socket {
  const socket = new Socket();
  sockets.add(socket);
  return socket.once("close", () => sockets.delete(socket));
}

/** Returns a connection to the pool; one whose transaction cannot be ended is discarded. */
async function leave(client: PoolClient, fault: unknown): Promise<void> {
  if (fault === null) return client.release();
  if (classifyFailure(fault) === "unreachable") return client.release(true);
  try {
    await client.query("ROLLBACK");
    client.release();
  } catch {
    client.release(true);
  }
}

/**
 * The address for the client. The client currently treats `require` and the like as `verify-full`, and prints a long
 * warning that this will change; an explicit `verify-full` keeps the behaviour and avoids the warning.
 */
export function toConnectionUrl(url: string): string {
  if (/[?&]uselibpqcompat=true(?:&|$)/.test(url)) return url;
  return url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, "$1verify-full");
}

type Pg = typeof import("pg");

/** The only place that imports the PostgreSQL client: an optional package, loaded on first use. */
export async function loadPg(name = "pg"): Promise<Pg> {
  const needed = { user: 'store.driver "postgres"', name, install: name };
  const loaded = await loadOptionalPackage<{ default?: Pg } & Pg>(needed, () => import(name));
  return loaded.default ?? loaded;
}
