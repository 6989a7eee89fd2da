import { LonghandError } from "../../errors.ts";
import type { FullStore } from "../store.ts";
import type { WorkLock } from "../work-lock.ts";
import { claimAgent, findAgent } from "./agent-row.ts";
import { type AgentStoreOptions, createAgentStore } from "./agent-store.ts";
import { awaitOwnLocks, type Database, loadPg, openDatabase, type Sql } from "./database.ts";
import { deleteRows } from "./delete-rows.ts";
import { sqlStateOf } from "./postgres-failure.ts";
import { migrations, ownedTables } from "./schema.ts";
import { prepareExtension } from "./vector-extension.ts";
import { dropVectorIndex } from "./vector-index.ts";
import { listSets } from "./vector-sets.ts";
import { createPostgresWorkLock } from "./work-lock-postgres.ts";

export interface PostgresStoreOptions extends AgentStoreOptions {
  readonly url: string;
  /** The address for messages, without credentials. */
  readonly place: string;
  /** The agent that owns the rows. */
  readonly owner: string;
  /** An earlier name of the owner, used while only that one has rows. */
  readonly formerly?: string | undefined;
  /** Maximum connections of this process, besides one that listens and one per held lock. */
  readonly maxConnections?: number;
  /** How long an operation is retried while the server cannot be reached. */
  readonly retryForMs?: number;
}

/** One agent's index in a database, and the locks by which its machines coordinate large work. */
export interface PostgresIndex {
  open(): Promise<FullStore>;
  readonly locks: { readonly documents: WorkLock; readonly vectors: WorkLock };
}

export function createPostgresIndex(options: PostgresStoreOptions): PostgresIndex {
  const { url, place, owner, formerly, maxConnections = 4, retryForMs } = options;
  let connection: Promise<{ db: Database; agentId: number }> | null = null;

  const connect = (): Promise<{ db: Database; agentId: number }> => {
    connection ??= begin().catch((error: unknown) => {
      connection = null;
      throw error;
    });
    return connection;
  };

  const begin = async (): Promise<{ db: Database; agentId: number }> => {
    if (formerly === undefined) return (await connectAs(owner, "make"))!;
    // In sequence: a server may have few connections.
    const known = (await connectAs(owner, "find")) ?? (await connectAs(formerly, "find"));
    return known ?? (await connectAs(owner, "make"))!;
  };

  /** Null for an agent that must not be created and has no rows. */
  const connectAs = async (
    agent: string,
    when: "find" | "make",
  ): Promise<{ db: Database; agentId: number } | null> => {
    const db = openDatabase(await loadPg(), {
      ...{ url, place, agent, maxConnections },
      ...(retryForMs === undefined ? {} : { retryForMs }),
    });
    try {
      await migrate(db);
      const known = await db.read(findAgent);
      if (known !== null || when === "make") {
        return { db, agentId: known ?? (await db.write((sql) => claimAgent(sql, agent))) };
      }
    } catch (error) {
      await db.close();
      throw error;
    }
    await db.close();
    return null;
  };

  return {
    async open() {
      const { db, agentId } = await connect();
      const store = createAgentStore(db, agentId, await prepareExtension(db), options);
      return {
        ...store,
        async [Symbol.asyncDispose]() {
          connection = null;
          await store[Symbol.asyncDispose]();
        },
      };
    },
    locks: {
      documents: createPostgresWorkLock({ connect, name: "documents" }),
      vectors: createPostgresWorkLock({ connect, name: "vectors" }),
    },
  };
}

export async function openPostgresStore(options: PostgresStoreOptions): Promise<FullStore> {
  return await createPostgresIndex(options).open();
}

/** An arbitrary lock number of ours: "lhnd" in ASCII. */
const lockKey = 0x6c686e64;

const missingTable = "42P01";

/** Migrates the schema. A second process waits, and finds nothing left to do. */
async function migrate(db: Database): Promise<void> {
  const version = await db.read(readVersion).catch((error: unknown) => {
    if (sqlStateOf(error) === missingTable) return 0;
    throw error;
  });
  refuseNewer(version, db.place);
  if (version === migrations.length) return;
  await db.write(async (sql) => {
    await awaitOwnLocks(sql);
    // Any role could hold this lock, but before the schema exists no other program has a reason to.
    if (version === 0) await sql("SELECT pg_advisory_xact_lock($1)", [lockKey]);
    await sql("CREATE SCHEMA IF NOT EXISTS longhand");
    await sql(
      `CREATE TABLE IF NOT EXISTS longhand.migrations (
         version int4 PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())`,
    );
    await sql("LOCK TABLE longhand.migrations IN SHARE ROW EXCLUSIVE MODE");
    const from = await readVersion(sql);
    refuseNewer(from, db.place);
    if (from === migrations.length) return;
    for (const [index, migration] of migrations.entries()) {
      if (index < from) continue;
      await sql(migration);
      await sql("INSERT INTO longhand.migrations (version) VALUES ($1)", [index + 1]);
    }
    await sql("SELECT longhand.secure_tenants()");
  });
}

async function readVersion(sql: Sql): Promise<number> {
  const [row] = await sql<{ version: number }>(
    "SELECT coalesce(max(version), 0) AS version FROM longhand.migrations",
  );
  return row?.version ?? 0;
}

function refuseNewer(version: number, place: string): void {
  if (version <= migrations.length) return;
  throw new LonghandError(
    "index-newer",
    `Could not use the database ${place}: its schema has version ${version}, and this longhand knows ${migrations.length}.`,
    { hint: "Update longhand on this machine. The database is left alone." },
  );
}

export interface RemovedAgent {
  readonly url: string;
  /** The address without credentials. */
  readonly place: string;
  readonly agent: string;
}

/** Deletes all rows of an agent. Does nothing if there is no such agent. */
export async function removeAgent({ url, place, agent }: RemovedAgent): Promise<void> {
  const db = openDatabase(await loadPg(), { url, place, agent, maxConnections: 1 });
  try {
    const sets = await db.write(async (sql) => {
      await awaitOwnLocks(sql);
      const [schema] = await sql<{ name: string | null }>("SELECT to_regclass('longhand.agents') AS name");
      if (!schema?.name) return [];
      const [row] = await sql<{ id: number }>(
        "SELECT id FROM longhand.agents WHERE name = $1 AND id = longhand.current_agent() FOR UPDATE",
        [agent],
      );
      if (row === undefined) return [];
      const indexed = (await listSets(sql, row.id)).filter(({ is_indexed }) => is_indexed);
      for (const table of ownedTables) await sql(deleteRows(table, "agent_id = $1"), [row.id]);
      await sql("DELETE FROM longhand.agents WHERE id = $1", [row.id]);
      return indexed;
    });
    for (const set of sets) await dropVectorIndex(db, set);
  } finally {
    await db.close();
  }
}
