import type { FullStore } from "../store.ts";
import type { WorkLock } from "../work-lock.ts";
import { claimAgent, findAgent } from "./agent-row.ts";
import { type AgentStoreOptions, createAgentStore } from "./agent-store.ts";
import { type Database, openDatabase } from "./database.ts";
import { migrate } from "./migrate.ts";
import { loadPg } from "./pg-package.ts";
import { prepareExtension } from "./vector-extension.ts";
import { createPostgresWorkLock } from "./work-lock-postgres.ts";

export interface PostgresStoreOptions extends AgentStoreOptions {
  readonly url: string;
  /** The address as people are told, without its secrets. */
  readonly place: string;
  /** The agent whose rows these are. */
  readonly owner: string;
  /** Connections of this process at most, besides one that listens and one for each lock it holds. */
  readonly maxConnections?: number;
  /** How long an operation is repeated while the server cannot be reached. */
  readonly patienceMs?: number;
}

/** One agent's index in a database, and the locks by which its machines share large work. */
export interface PostgresIndex {
  open(): Promise<FullStore>;
  readonly locks: { readonly documents: WorkLock; readonly vectors: WorkLock };
}

export function createPostgresIndex(options: PostgresStoreOptions): PostgresIndex {
  const { url, place, owner, maxConnections = 4, patienceMs } = options;
  let connection: Promise<{ db: Database; agentId: number }> | null = null;

  const connect = (): Promise<{ db: Database; agentId: number }> => {
    connection ??= begin().catch((error: unknown) => {
      connection = null;
      throw error;
    });
    return connection;
  };

  const begin = async (): Promise<{ db: Database; agentId: number }> => {
    const db = openDatabase(await loadPg(), {
      ...{ url, place, agent: owner, maxConnections },
      ...(patienceMs === undefined ? {} : { patienceMs }),
    });
    try {
      await migrate(db);
      const known = await db.read(findAgent);
      return { db, agentId: known ?? (await db.write((sql) => claimAgent(sql, owner))) };
    } catch (error) {
      await db.close();
      throw error;
    }
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
