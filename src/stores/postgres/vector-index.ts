import type { Client } from "pg";
import { cosineOfUnits, toUnit } from "../vectors/vector-codes.ts";
import { findMedian } from "../vectors/vector-rank.ts";
import { type AgentRow, readAgent } from "./agent-row.ts";
import type { Database, Sql } from "./database.ts";
import { vectorsOfChunks } from "./embedding-cache.ts";
import { encodeVector, type VectorExtension } from "./vector-extension.ts";
import type { SetRow } from "./vector-sets.ts";
import { createPostgresWorkLock } from "./work-lock-postgres.ts";

const maxWaitMs = 600_000;

/** pgvector cannot index more dimensions, even at half precision. */
const maxIndexedDims = 4000;

/**
 * A graph is built several times as fast while it fits into this much memory; more would be too much to ask of a shared
 * server.
 */
const maxBuildMegabytes = 2048;

/**
 * Density of the HNSW graph (m, ef_construction). With 60,000 × 256, 24 and 128 took twice as long to build (66 s of
 * CPU instead of 31 s) and a third longer to search; at ef_search 300 both found all of the best 24, and .998 and .990
 * of the best 96.
 */
const graph = { neighbours: 16, effort: 64 };
/** In memory, besides the vector: twice as many neighbours in the lowest layer, 16 bytes each. */
const nodeBytes = 2 * graph.neighbours * 16 + 200;

type SetKey = Pick<SetRow, "id" | "agent_id">;

function indexNameOf({ agent_id, id }: SetKey): string {
  return `chunks_vec_${agent_id}_${id}`;
}

/**
 * The condition for rows of one set, with literal numbers: PostgreSQL uses a partial index only if it can prove that
 * the index contains all rows.
 */
export function rowsOfSet({ agent_id, id }: SetKey): string {
  return `agent_id = ${agent_id} AND embedder_id = ${id}`;
}

/**
 * The expression to index and to search, defined once: PostgreSQL uses an expression index only for the same
 * expression.
 */
export function indexedExpression(set: Pick<SetRow, "dims">, { schema }: VectorExtension): string {
  return `(v.embedding::${schema}.halfvec(${set.dims}))`;
}

export function canBeIndexed(set: SetRow): boolean {
  return set.vectors_per_text === "one" && set.dims > 0 && set.dims <= maxIndexedDims;
}

/**
 * Builds the graph of one set as a separate index: a search then meets no vectors of other agents or models.
 * Concurrently, so that no writer waits. Returns false if another process is building it.
 */
export async function buildVectorIndex(
  db: Database,
  set: SetRow,
  extension: VectorExtension,
  rowCount: number,
): Promise<boolean> {
  const name = indexNameOf(set);
  const bytes = 1.1 * rowCount * (2 * set.dims + nodeBytes);
  const megabytes = Math.ceil(Math.min(maxBuildMegabytes, 64 + bytes / 2 ** 20));
  const lock = createPostgresWorkLock({ connect: async () => ({ db, agentId: set.agent_id }), name });
  await using held = await lock.tryAcquire("building a graph of vectors");
  if (held === null) return false;
  // It waits for every older transaction, including those that others left open.
  const settings = `-c statement_timeout=0 -c lock_timeout=${maxWaitMs} -c maintenance_work_mem=${megabytes}MB`;
  await db.withClient(
    async (client) => {
      const { schema, table } = await findTable(client, set);
      // A half-built index of a crashed process is not used, but updated with every write.
      await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${schema}.${name}`);
      await client.query(
        `CREATE INDEX CONCURRENTLY ${name} ON ${schema}.${table} USING hnsw
           (${indexedExpression(set, extension).replace("v.", "")} ${extension.schema}.halfvec_cosine_ops)
           WITH (m = ${graph.neighbours}, ef_construction = ${graph.effort}) WHERE ${rowsOfSet(set)}`,
      );
    },
    { options: settings },
  );
  return true;
}

export async function dropVectorIndex(db: Database, set: SetKey): Promise<void> {
  await db.withClient(async (client) => {
    const { schema } = await findTable(client, set);
    await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${schema}.${indexNameOf(set)}`);
  });
}

/** The table with the rows of the set: a partition, if there are any. */
async function findTable(
  client: Client,
  { agent_id }: SetKey,
): Promise<{ readonly schema: string; readonly table: string }> {
  const { rows } = await client.query(
    `SELECT relnamespace::regnamespace::text AS schema, relname AS table FROM pg_class
     WHERE oid = longhand.part_of('longhand.chunks_vec', $1)`,
    [agent_id],
  );
  return rows[0];
}

/** The similarity of an ordinary chunk of a large set, from a sample spread evenly over all keys. */
export type FindOrdinary = (
  sql: Sql,
  set: SetRow,
  extension: VectorExtension,
  query: Float32Array,
) => Promise<number>;

const sampleSize = 1024;

interface Sample {
  readonly vectors: readonly Float32Array[];
  readonly chunkCount: number;
}

/**
 * The server reads a thousand rows for it, a page each, which is a large part of the cost of a search. For a single
 * query the server does it; a process with more queries fetches the sample, until the set has grown or shrunk by a
 * quarter.
 */
export function createFindOrdinary(agentId: number): FindOrdinary {
  const samples = new Map<number, Sample | null>();

  return async (sql, set, extension, query) => {
    const known = samples.get(set.id);
    if (known === undefined) {
      samples.set(set.id, null);
      const keys = pickKeys(await readAgent(sql, agentId));
      return await findThere(sql, set, extension, { query, keys });
    }
    let sample = known;
    if (sample === null || Math.abs(set.chunk_count / sample.chunkCount - 1) > 0.25) {
      const vectors = await vectorsOfChunks(sql, agentId, set, pickKeys(await readAgent(sql, agentId)));
      sample = { vectors: [...vectors.values()], chunkCount: set.chunk_count };
      samples.set(set.id, sample);
    }
    const unit = toUnit(query);
    return findMedian(Float32Array.from(sample.vectors, (vector) => cosineOfUnits(unit, vector)));
  };
}

function pickKeys({ nextKey, chunkCount }: AgentRow): number[] {
  // Some of the keys belong to deleted chunks.
  const wanted = Math.min(nextKey, Math.ceil((sampleSize * nextKey) / Math.max(1, chunkCount)));
  const step = Math.max(1, nextKey / Math.min(wanted, 16 * sampleSize));
  return Array.from({ length: Math.floor(nextKey / step) }, (_, index) => Math.floor(index * step));
}

async function findThere(
  sql: Sql,
  set: SetRow,
  { schema }: VectorExtension,
  { query, keys }: { readonly query: Float32Array; readonly keys: readonly number[] },
): Promise<number> {
  const [row] = await sql<{ median: number | null }>(
    `SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY
       1 - (v.embedding OPERATOR(${schema}.<=>) $1::${schema}.vector::${schema}.halfvec)) AS median
     FROM longhand.chunks_vec v WHERE v.agent_id = $4 AND v.embedder_id = $2 AND v.key = ANY($3::int8[]) AND v.embedding IS NOT NULL`,
    [encodeVector(query), set.id, keys, set.agent_id],
  );
  return row?.median ?? 0;
}
