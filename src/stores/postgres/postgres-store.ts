import { LonghandError } from "../../errors.ts";
import type { Store, StoreDescription } from "../store.ts";
import type { WorkLock } from "../work-lock.ts";
import { advanceAgent, claimAgent, lockAgent } from "./agent-row.ts";
import { type Database, openDatabase, type Sql } from "./database.ts";
import { createReading } from "./documents-read.ts";
import { putDocuments, removeDocuments, touchDocuments, type WritingParts } from "./documents-write.ts";
import {
  createIndexMeta,
  factKey,
  type IndexMeta,
  readMeta,
  readValue,
  writeMeta,
  writeValue,
} from "./index-meta.ts";
import { createKeyword } from "./keyword.ts";
import { mendAgent } from "./mend.ts";
import { migrate } from "./migrate.ts";
import { loadPg } from "./pg-package.ts";
import { purgeAgent } from "./purge.ts";
import { createRevisionWatch } from "./revision-watch.ts";
import { createRunningCalls } from "./running-calls.ts";
import type { Tokens } from "./tokens.ts";
import { type ExtensionState, prepareExtension } from "./vector-extension.ts";
import { createVectorPart } from "./vector-part.ts";
import { rebuildWords } from "./words-rebuild.ts";
import { createPostgresWorkLock } from "./work-lock-postgres.ts";

export interface PostgresStoreOptions {
  readonly url: string;
  /** The address as people are told, without its secrets. */
  readonly place: string;
  /** The agent whose rows these are. */
  readonly owner: string;
  /** The words of a chunk. Must not change while `analyserId` stays the same. */
  readonly tokens: Tokens;
  /** Names the analyser behind `tokens`. When it differs from the one in the index, all words are built again. */
  readonly analyserId: string;
  /** How much a word in the headings or the path counts against one in the text. */
  readonly headWeight?: number;
  /** Of how many texts vectors are kept, those included that no chunk holds any more; all that chunks use are kept. */
  readonly maxCachedVectors?: number;
  /** How documents are cut, for people who look inside. */
  readonly chunking?: { readonly tokens: number; readonly overlap: number };
  /** From so many chunks on, vectors get an index. */
  readonly indexedFrom?: number;
  /** Connections of this process at most, besides one that listens and one for each lock it holds. */
  readonly maxConnections?: number;
  /** How long an operation is repeated while the server cannot be reached. */
  readonly patienceMs?: number;
  readonly now?: () => number;
}

/** One agent's index in a database, and the locks by which its machines share large work. */
export interface PostgresIndex {
  open(): Promise<Store>;
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
      return { db, agentId: await db.write((sql) => claimAgent(sql, owner)) };
    } catch (error) {
      await db.close();
      throw error;
    }
  };

  return {
    async open() {
      const { db, agentId } = await connect();
      const store = createStore(db, agentId, await prepareExtension(db), options);
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

export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  return await createPostgresIndex(options).open();
}

function createStore(
  database: Database,
  agentId: number,
  pgvector: ExtensionState,
  options: PostgresStoreOptions,
): Store {
  const revision = createRevisionWatch(database, agentId);
  const db: Database = {
    ...database,
    write: async (work, limits) => {
      try {
        return await database.write(work, limits);
      } finally {
        revision.forget();
      }
    },
  };
  const { tokens, analyserId, headWeight = 0.6, maxCachedVectors = 50_000, now = Date.now } = options;
  const { chunking = { tokens: 0, overlap: 0 }, indexedFrom = 10_000 } = options;
  const reading = createReading({ db, agentId });
  const keyword = createKeyword({ db, agentId, tokens, headWeight });
  const { exportVectors, ...vectors } = createVectorPart({
    db,
    agentId,
    pgvector,
    maxCachedVectors,
    indexedFrom,
    now,
  });
  let settling: Promise<void> | null = null;
  let measured = { size: 0, atMs: Number.NEGATIVE_INFINITY };

  /** Words of another analyser are built again, once, before anything is written beside them. */
  const settle = (): Promise<void> => {
    settling ??= settleWords().catch((error: unknown) => {
      settling = null;
      throw error;
    });
    return settling;
  };

  const settleWords = async (): Promise<void> => {
    const known = await db.read((sql) => readMeta(sql, agentId));
    if (known?.analyser === analyserId) return;
    await db.write(async (sql) => {
      await lockAgent(sql, agentId);
      const meta = await readMeta(sql, agentId);
      if (meta?.analyser === analyserId) return;
      await rebuildWords(sql, agentId, tokens);
      await writeMeta(sql, agentId, { ...(meta ?? createIndexMeta(analyserId)), analyser: analyserId });
      await advanceAgent(sql, agentId, { content: true });
    });
  };

  const requireSameAnalyser = async (sql: Sql): Promise<IndexMeta> => {
    const meta = await readMeta(sql, agentId);
    if (meta?.analyser === analyserId) return meta;
    throw new LonghandError(
      "index-newer",
      `Could not write to the index in ${db.place}: another longhand now uses it.`,
      { hint: "Two versions of longhand share this index. Restart this one, or update the older." },
    );
  };

  /** Every search asks, and nobody needs to know it to the byte. */
  const measureNowAndThen = async (): Promise<number> => {
    if (performance.now() - measured.atMs > measuredForMs) {
      measured = { size: await db.read(measureSchema), atMs: performance.now() };
    }
    return measured.size;
  };

  const change = async <T>(work: (parts: WritingParts) => Promise<T>): Promise<T> => {
    await settle();
    return await db.write(async (sql) => {
      const agent = await lockAgent(sql, agentId);
      return await work({ sql, agent, tokens, at: now() });
    });
  };

  const calls = createRunningCalls();
  const methods: Omit<Store, keyof AsyncDisposable> = {
    versions: async (source) => {
      await settle();
      return await reading.versions(source);
    },
    put: async (documents, chunkerId) => {
      const hasGrown = await change(async (parts) => {
        const meta = await requireSameAnalyser(parts.sql);
        const { chunkCount } = parts.agent;
        const after = chunkCount + (await putDocuments(parts, documents, chunkerId));
        const made: IndexMeta = {
          ...meta,
          chunker: chunkerId,
          chunkTokens: chunking.tokens,
          chunkOverlap: chunking.overlap,
          sources: [...new Set([...meta.sources, ...documents.map(({ document }) => document.source)])],
        };
        if (JSON.stringify(made) !== JSON.stringify(meta)) await writeMeta(parts.sql, agentId, made);
        return (
          after >= leastAnalysed && Math.floor(Math.log2(after)) > Math.floor(Math.log2(chunkCount || 1))
        );
      });
      // The server does so by itself after a minute, and until then guesses wrong about tables that were empty.
      if (hasGrown) await db.write((sql) => sql(`ANALYZE ${analysedTables}`)).catch(() => {});
    },
    touch: (source, versions) => change((parts) => touchDocuments(parts, source, versions)),
    remove: async (source, paths) => {
      if (paths.length > 0) await change((parts) => removeDocuments(parts, source, paths));
    },
    ...keyword,
    chunks: reading.chunks,
    chunksOf: (source, path, { fromLine } = {}) => reading.chunksOf(source, path, fromLine),
    ...vectors,
    purge: ({ texts }) =>
      db.write(async (sql) => {
        await lockAgent(sql, agentId);
        const report = await purgeAgent(sql, agentId, texts);
        await advanceAgent(sql, agentId);
        return report;
      }),
    stats: async () => {
      const sources = await reading.counts();
      return {
        files: sources.reduce((sum, { files }) => sum + files, 0),
        chunks: sources.reduce((sum, { chunks }) => sum + chunks, 0),
        sources,
        sizeBytes: await measureNowAndThen(),
        keyword: { available: true },
      };
    },
    revision: revision.read,
    describe: () =>
      db.read(async (sql): Promise<StoreDescription> => {
        const server = await describeServer(sql);
        return {
          sizes: { databaseBytes: await measureSchema(sql), walBytes: 0, ...(await measureVectors(sql)) },
          meta: {
            ...(await readMeta(sql, agentId)),
            ...server,
            pgvector: "extension" in pgvector ? pgvector.extension.version : pgvector.problem,
          },
        };
      }),
    mend: (wanted = {}) =>
      change(async ({ sql, at }) => {
        const done = await mendAgent({ sql, agentId, tokens, at }, wanted);
        await advanceAgent(sql, agentId, { content: true });
        return done;
      }),
    readFact: (key) => db.read((sql) => readValue(sql, agentId, factKey(key))),
    writeFact: (key, value) =>
      db.write(async (sql) => {
        await lockAgent(sql, agentId);
        await writeValue(sql, agentId, factKey(key), value);
        await advanceAgent(sql, agentId);
      }),
  };
  return {
    ...calls.watch(methods),
    groupBytes,
    // Not a call but many, each of which is watched for by the database.
    exportVectors,
    async [Symbol.asyncDispose]() {
      await calls.close();
      await revision[Symbol.asyncDispose]();
      await db.close();
    },
  };
}

/** Every word of a group is one row to change, however often it stands there: 3,000 notes took a fifth of the time. */
const groupBytes = 4 * 1024 * 1024;
const measuredForMs = 10_000;
const leastAnalysed = 512;
const analysedTables = "longhand.files, longhand.chunks, longhand.words, longhand.postings";

/** Of all agents: what belongs to one of them cannot be told without reading all. */
async function measureSchema(sql: Sql): Promise<number> {
  const [row] = await sql<{ size: number }>(
    `SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::float8 AS size FROM pg_class
     WHERE relnamespace = 'longhand'::regnamespace AND relkind = 'r'`,
  );
  return row?.size ?? 0;
}

async function measureVectors(sql: Sql): Promise<{ vectorBytes: number; cacheBytes: number }> {
  const [row] = await sql<{ vectorBytes: number; cacheBytes: number }>(
    `SELECT pg_total_relation_size('longhand.chunks_vec')::float8 AS "vectorBytes",
       pg_total_relation_size('longhand.embedding_cache')::float8 AS "cacheBytes"`,
  );
  return row!;
}

async function describeServer(sql: Sql): Promise<{ server: string; rowSecurity: string }> {
  const [row] = await sql<{ server: string; bypasses: boolean }>(
    `SELECT current_setting('server_version') AS server, rolsuper OR rolbypassrls AS bypasses
     FROM pg_roles WHERE rolname = current_user`,
  );
  return {
    server: `PostgreSQL ${row?.server ?? "of an unknown version"}`,
    rowSecurity: row?.bypasses ? "bypassed by this role" : "enforced",
  };
}
