import { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client, ClientConfig, Pool, PoolClient } from "pg";
import { LonghandError } from "../../errors.ts";
import { monotonicMs } from "../../timing.ts";
import { createTaskQueue } from "../task-queue.ts";
import { classifyFailure, explainFailure, sqlStateOf } from "./postgres-failure.ts";
import { fromSqlText, toSqlText } from "./sql-values.ts";

type Row = Record<string, unknown>;

/**
 * One statement within a transaction. Values are bound. Statements that are not waited for are sent at once and done in
 * their order: those that do not need each other's results belong into one `Promise.all`, which is one round trip.
 */
export type Sql = <T extends object = Row>(text: string, values?: readonly unknown[]) => Promise<T[]>;

export interface Database {
  /** The address without its secrets. */
  readonly place: string;
  /** Several questions to one state of the database. */
  read<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /**
   * One transaction; this process has one at a time. `once`: it must not be repeated when the connection broke while it
   * was being committed, because then the outcome is unknown.
   */
  write<T>(work: (sql: Sql) => Promise<T>, options?: { readonly once?: boolean }): Promise<T>;
  /**
   * A connection of its own, outside any transaction, for what cannot be done inside one. It is closed afterwards.
   * `options` are settings of its session, without which it goes on where a pooler does not take them: it would give a
   * session that was changed by SET to others.
   */
  withClient<T>(work: (client: Client) => Promise<T>, session?: { readonly options: string }): Promise<T>;
  /** For those who keep one. Not connected yet. */
  createClient(): Client;
  /** Nothing may be asked any more. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly url: string;
  readonly place: string;
  /** Whose rows are seen. It is set in each transaction, because a pooler may give each one another session. */
  readonly agent: string;
  readonly maxConnections: number;
  readonly connectTimeoutMs?: number;
  /** How long an operation is repeated while the server cannot be reached. */
  readonly retryForMs?: number;
}

/** As PgBouncer says it. */
const refusedSettings = /unsupported startup parameter/;
const abortedTransaction = "25P02";
const firstPauseMs = 50;
/** A server that was unavailable a moment ago is asked only once by the callers that follow. */
const stillAwayMs = 2000;
const maxConflicts = 8;
const readLimitMs = 30_000;
/** A lock on a whole table (VACUUM FULL, CREATE INDEX, a change of schema) must not block callers. */
const tableLockLimitMs = 2000;
/** Other processes of ours finish what they are at. */
const ownLockLimitMs = 15_000;
/** A server whose machine vanished says nothing at all, and TCP would wait for hours. */
const answerLimitMs = 120_000;

const limitTableLocks = `SET LOCAL lock_timeout = ${tableLockLimitMs}`;
const limitOwnLocks = `SET LOCAL lock_timeout = ${ownLockLimitMs}`;

/** From here to the end of the transaction, locks are those of other processes of ours, and are waited for. */
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
  // Sent together. The first takes the lock on the table that the statement needs, and no row.
  const [, , rows] = await Promise.all([
    sql(`SELECT FROM ${table} WHERE false FOR UPDATE`),
    sql(limitOwnLocks),
    sql<T>(text, values),
    sql(limitTableLocks),
  ]);
  return rows;
}

export function openDatabase(pg: Pg, options: DatabaseOptions): Database {
  const { url, place, agent, maxConnections, connectTimeoutMs = 5000, retryForMs = 3000 } = options;
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
  // Our statements are short: to compile one would take longer than to run it.
  const begin = (mode: string): string => `BEGIN${mode}; ${setAgent}; SET LOCAL jit = off`;
  const beginReading = `${begin(" ISOLATION LEVEL REPEATABLE READ READ ONLY")}; ${limitTableLocks}; SET LOCAL statement_timeout = ${readLimitMs}`;
  const beginWriting = `${begin("")}; ${limitTableLocks}; SET LOCAL statement_timeout = ${answerLimitMs}`;
  let awayAtMs = Number.NEGATIVE_INFINITY;
  let closing: Promise<void> | null = null;

  async function attempt<T>(
    kind: "read" | "write",
    work: (sql: Sql) => Promise<T>,
    onCommit: () => void,
  ): Promise<T> {
    const client = await pool.connect();
    // Sent along with the first statement, which cannot succeed when this has failed.
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
      const result = await work(bindSql(client, { isOver: () => isOver, onFailed }));
      const refusal = await beginning;
      if (refusal !== null) throw refusal.error;
      onCommit();
      const ended = client.query("COMMIT");
      // What was read has been read; whoever gets the connection next is answered after this.
      if (kind === "read") ended.catch(() => {});
      else await ended;
      return result;
    } catch (error) {
      // Of statements that were sent together, those after the one that failed are refused for that reason alone.
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
      try {
        const result = await attempt(kind, work, () => {
          isCommitting = true;
        });
        awayAtMs = Number.NEGATIVE_INFINITY;
        return result;
      } catch (error) {
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
      // A failure is reported by the running query.
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

/** The client leaves a connection open whose login failed. The server ends it after a minute, which is too long to wait. */
function openSocket(sockets: Set<Socket>): Socket {
  const socket = new Socket();
  sockets.add(socket);
  return socket.once("close", () => sockets.delete(socket));
}

/** Gives a connection back; one whose transaction cannot be ended is thrown away. */
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

interface Binding {
  readonly isOver: () => boolean;
  /** Called for every failed statement, in order. */
  readonly onFailed: (error: unknown) => void;
}

function bindSql(client: Pick<Client, "query">, { isOver, onFailed }: Binding): Sql {
  return async <T extends object>(text: string, values: readonly unknown[] = []): Promise<T[]> => {
    // Of several that run at once one has failed: what the others still want must not reach the next transaction.
    if (isOver()) throw new Error("the transaction is over");
    // Several statements in one text have as many results.
    const asked = client.query(text, values.map(encode));
    asked.catch(onFailed);
    const { rows = [] } = (await asked) as { rows?: Row[] };
    for (const row of rows) {
      for (const name in row) if (typeof row[name] === "string") row[name] = fromSqlText(row[name]);
    }
    return rows as T[];
  };
}

function encode(value: unknown): unknown {
  if (typeof value === "string") return toSqlText(value);
  if (!Array.isArray(value)) return value;
  return value.map((each: unknown) => (typeof each === "string" ? toSqlText(each) : each));
}

/**
 * The address as the client is given it. Today the client takes `require` and the like for `verify-full` and warns at
 * length, on the user's screen, that it will not do so for ever; said outright, it stays so and is quiet.
 */
export function toConnectionUrl(url: string): string {
  if (/[?&]uselibpqcompat=true(?:&|$)/.test(url)) return url;
  return url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, "$1verify-full");
}

type Pg = typeof import("pg");

/** The one place that imports the PostgreSQL client: an optional package, loaded when it is first needed. */
export async function loadPg(packageName = "pg"): Promise<Pg> {
  try {
    const loaded = (await import(packageName)) as { default?: Pg } & Pg;
    return loaded.default ?? loaded;
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND";
    const why = isMissing ? "which is not installed" : "which cannot be loaded here";
    throw new LonghandError(
      "dependency-missing",
      `store.driver "postgres" needs the package ${packageName}, ${why}.`,
      {
        hint: `Install it beside longhand with \`npm install ${packageName}\` (with -g when longhand is global).`,
        cause,
      },
    );
  }
}
