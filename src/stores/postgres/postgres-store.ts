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
  /** Used on in its place where the owner has no rows yet and this one has. */
  readonly formerly?: string | undefined;
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
  const { url, place, owner, formerly, maxConnections = 4, patienceMs } = options;
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
    // One after the other: a server may have few connections.
    const known = (await connectAs(owner, "find")) ?? (await connectAs(formerly, "find"));
    return known ?? (await connectAs(owner, "make"))!;
  };

  /** Null for an agent that is only looked for and has no rows. */
  const connectAs = async (
    agent: string,
    when: "find" | "make",
  ): Promise<{ db: Database; agentId: number } | null> => {
    const db = openDatabase(await loadPg(), {
      ...{ url, place, agent, maxConnections },
      ...(patienceMs === undefined ? {} : { patienceMs }),
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
