import { LonghandError } from "../../errors.ts";
import { monotonicMs } from "../../timing.ts";
import { sumSources } from "../chunk-row.ts";
import {
  createIndexMeta,
  describeDocuments,
  type IndexingOptions,
  type IndexMeta,
  requireSameAnalyzer,
} from "../index-meta.ts";
import { createRunningCalls } from "../running-calls.ts";
import type { FullStore, StoreDescription } from "../store.ts";
import { advanceAgent, lockAgent, readAgent, type WritingParts } from "./agent-row.ts";
import type { Database, Sql } from "./database.ts";
import { createReading } from "./documents-read.ts";
import { putDocuments, removeDocuments, touchDocuments } from "./documents-write.ts";
import { createKeyword } from "./keyword.ts";
import { purgeAgent, repairAgent } from "./maintenance.ts";
import { factKey, readMeta, readValue, writeMeta, writeValue } from "./meta.ts";
import { partitionSchema } from "./partition-tables.ts";
import { migrations } from "./schema.ts";
import type { ExtensionState } from "./vector-extension.ts";
import { createVectorPart } from "./vector-part.ts";
import { rebuildWords } from "./words-write.ts";

export interface AgentStoreOptions extends IndexingOptions {
  /** With this many chunks, vectors get an index. */
  readonly indexedFrom?: number;
}

/** The rows of one agent as a store. Closing it closes the database. */
export function createAgentStore(
  db: Database,
  agentId: number,
  pgvector: ExtensionState,
  options: AgentStoreOptions,
): FullStore {
  const { tokens, analyzerId, maxCachedVectors = 50_000, now = Date.now } = options;
  const { chunking = { tokens: 0, overlap: 0 }, indexedFrom = 10_000 } = options;
  const reading = createReading({ db, agentId });
  const keyword = createKeyword({ db, agentId });
  const { exportVectors, ...vectors } = createVectorPart({
    db,
    agentId,
    pgvector,
    maxCachedVectors,
    indexedFrom,
    now,
  });
  let settling: Promise<void> | null = null;
  let known = { sizeBytes: 0, readOnly: null as string | null, atMs: Number.NEGATIVE_INFINITY };

  /** Tokens of another analyzer are rebuilt once, before anything is written beside them. */
  const settle = (): Promise<void> => {
    settling ??= settleWords().catch((error: unknown) => {
      settling = null;
      throw error;
    });
    return settling;
  };

  const settleWords = async (): Promise<void> => {
    const known = await db.read((sql) => readMeta(sql, agentId));
    if (known?.analyzer === analyzerId) return;
    await db.write(async (sql) => {
      await lockAgent(sql, agentId);
      const meta = await readMeta(sql, agentId);
      if (meta?.analyzer === analyzerId) return;
      await rebuildWords(sql, agentId, tokens);
      const fresh = createIndexMeta({ schemaVersion: migrations.length, analyzer: analyzerId });
      await writeMeta(sql, agentId, { ...fresh, ...meta, analyzer: analyzerId });
      await advanceAgent(sql, agentId, { content: true });
    });
  };

  /** Every search asks, and an estimate is enough. */
  const measureRarely = async (): Promise<{ sizeBytes: number; readOnly?: string }> => {
    if (monotonicMs() - known.atMs > knownForMs) {
      const readOnly = await db.read(whyReadOnly);
      const sizeBytes = await db.read(measureAtOnce).catch((error: unknown) => {
        if (!isBusy(error)) throw error;
        return known.sizeBytes;
      });
      known = { sizeBytes, readOnly, atMs: monotonicMs() };
    }
    const { sizeBytes, readOnly } = known;
    return { sizeBytes, ...(readOnly === null ? {} : { readOnly }) };
  };

  const change = async <T>(work: (parts: WritingParts, meta: IndexMeta | null) => Promise<T>): Promise<T> => {
    await settle();
    return await db.write(async (sql) => {
      const [agent, meta] = await Promise.all([lockAgent(sql, agentId), readMeta(sql, agentId)]);
      return await work({ sql, agent, tokens, at: now() }, meta);
    });
  };

  const calls = createRunningCalls();
  const methods: Omit<
    FullStore,
    keyof AsyncDisposable | "exportVectors" | "specificationVersion" | "groupBytes"
  > = {
    documentState: reading.documentState,
    versions: async (source, { paths } = {}) => {
      await settle();
      return await reading.versions(source, paths);
    },
    put: async (documents, chunkerId, { asOf } = {}) => {
      const { hasGrown, refused } = await change(async (parts, before) => {
        const meta = requireSameAnalyzer(before, analyzerId, `in ${db.place}`);
        const { chunkCount } = parts.agent;
        const { growth, refused } = await putDocuments(parts, documents, { chunkerId, asOf });
        const after = chunkCount + growth;
        const made = describeDocuments(meta, documents, { id: chunkerId, ...chunking });
        if (JSON.stringify(made) !== JSON.stringify(meta)) await writeMeta(parts.sql, agentId, made);
        const hasGrown =
          after >= minAnalyzed && Math.floor(Math.log2(after)) > Math.floor(Math.log2(chunkCount || 1));
        return { hasGrown, refused };
      });
      // The server does this by itself after a minute, and until then plans badly for tables that were empty.
      if (hasGrown) await db.write((sql) => sql(`ANALYZE ${analyzedTables}`)).catch(() => {});
      return refused;
    },
    touch: (source, versions, { asOf } = {}) =>
      change((parts) => touchDocuments(parts, source, versions, asOf)),
    remove: async (source, paths, { asOf } = {}) =>
      paths.length === 0 ? [] : await change((parts) => removeDocuments(parts, source, paths, asOf)),
    ...keyword,
    chunks: reading.chunks,
    documents: reading.documents,
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
      return {
        ...sumSources(await reading.counts()),
        ...(await measureRarely()),
        keyword: { available: true },
      };
    },
    revision: () => db.read(async (sql) => `${(await readAgent(sql, agentId)).revision}`),
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
    repair: (wanted = {}) =>
      change(async ({ sql, at }) => {
        const done = await repairAgent({ sql, agentId, tokens, at }, wanted);
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
    specificationVersion: 1,
    ...calls.watch(methods),
    groupBytes,
    // Not one call but many, each of them guarded by the database.
    exportVectors,
    async [Symbol.asyncDispose]() {
      await calls.close();
      await db.close();
    },
  };
}

/** Measuring locks every table, including those that a search does not need, and is not worth waiting for. */
async function measureAtOnce(sql: Sql): Promise<number> {
  await sql("SET LOCAL lock_timeout = 20");
  return await measureSchema(sql);
}

function isBusy(error: unknown): boolean {
  return error instanceof LonghandError && error.code === "index-busy";
}

/**
 * Every distinct token of a group is one row to write, however often it occurs. Other writers wait for a second or two.
 */
const groupBytes = 8 * 1024 * 1024;
const knownForMs = 10_000;
const minAnalyzed = 512;
const analyzedTables = "longhand.files, longhand.chunks, longhand.postings";

/** For all agents: the share of one is unknown without reading everything. */
async function measureSchema(sql: Sql): Promise<number> {
  const [row] = await sql<{ size: number }>(
    `SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::float8 AS size FROM pg_class
     WHERE relnamespace IN ('longhand'::regnamespace, to_regnamespace('${partitionSchema}')) AND relkind = 'r'`,
  );
  return row?.size ?? 0;
}

/** Why the database cannot be written; null if it can. */
async function whyReadOnly(sql: Sql): Promise<string | null> {
  const [row] = await sql<{ replica: boolean; preset: string }>(
    `SELECT pg_is_in_recovery() AS replica, current_setting('default_transaction_read_only') AS preset`,
  );
  if (row?.replica) return "the server is a replica that only reads";
  return row?.preset === "on" ? "default_transaction_read_only is set for this role or database" : null;
}

/** SQL: the size of a table with its partitions. */
const sizeOf = (table: string): string =>
  `coalesce((SELECT sum(pg_total_relation_size(relid)) FROM pg_partition_tree('longhand.${table}')),
     pg_total_relation_size('longhand.${table}'))::float8`;

async function measureVectors(sql: Sql): Promise<{ vectorBytes: number; cacheBytes: number }> {
  const [row] = await sql<{ vectorBytes: number; cacheBytes: number }>(
    `SELECT ${sizeOf("chunks_vec")} AS "vectorBytes", ${sizeOf("embedding_cache")} AS "cacheBytes"`,
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
