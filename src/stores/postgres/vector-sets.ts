import type { EmbedderIdentity } from "../store-vectors.ts";
import { providerKeyOf } from "../vectors/vector-set.ts";
import type { Sql } from "./database.ts";
import { deleteRows } from "./delete-rows.ts";
import { partitionSchema } from "./partition-tables.ts";

/** The vector set of one embedder: a row of `embedders`. */
export interface SetRow {
  readonly id: number;
  readonly agent_id: number;
  readonly name: string;
  readonly provider: string;
  readonly model: string;
  readonly provider_key: string;
  readonly vectors_per_text: "one" | "several";
  /** 0 while there is no vector. */
  readonly dims: number;
  readonly done_key: number;
  readonly used_at: number;
  /** The pgvector column that contains all of its vectors; null until it does. */
  readonly half_column: number | null;
  /** The agent's chunk count. */
  readonly chunk_count: number;
  /** Whether pgvector has a usable index of it. */
  readonly is_indexed: boolean;
}

const columns = `e.id, e.agent_id, e.name, e.provider, e.model, e.provider_key, e.vectors_per_text, e.dims,
  e.done_key::float8 AS done_key, e.used_at::float8 AS used_at, e.half_column,
  (SELECT a.chunk_count::float8 FROM longhand.agents a WHERE a.id = e.agent_id) AS chunk_count,
  coalesce((SELECT i.indisvalid FROM pg_class c JOIN pg_index i ON i.indexrelid = c.oid
    WHERE c.relname = 'chunks_vec_' || e.agent_id || '_' || e.id AND c.relnamespace IN ('longhand'::regnamespace, to_regnamespace('${partitionSchema}'))), false)
    AS is_indexed`;

export async function findSet(sql: Sql, agentId: number, name: string): Promise<SetRow | null> {
  const [row] = await sql<SetRow>(
    `SELECT ${columns} FROM longhand.embedders e WHERE e.agent_id = $1 AND e.name = $2`,
    [agentId, name],
  );
  return row ?? null;
}

export async function listSets(sql: Sql, agentId: number): Promise<SetRow[]> {
  return await sql<SetRow>(
    `SELECT ${columns} FROM longhand.embedders e WHERE e.agent_id = $1 ORDER BY e.id`,
    [agentId],
  );
}

export async function ensureSet(
  sql: Sql,
  agentId: number,
  embedder: EmbedderIdentity,
  { vectorsPerText, halfColumn }: { vectorsPerText: "one" | "several"; halfColumn: number | null },
): Promise<SetRow> {
  const { id, provider, model } = embedder;
  const known = await findSet(sql, agentId, id);
  if (known !== null) return known;
  await sql(
    `WITH counted AS (UPDATE longhand.agents SET next_set = next_set + 1 WHERE id = $1 RETURNING next_set - 1 AS id)
     INSERT INTO longhand.embedders
       (id, agent_id, name, provider, model, provider_key, vectors_per_text, half_column, dims, done_key, used_at)
     SELECT id, $1, $2, $3, $4, $5, $6, $7, 0, 0, 0 FROM counted`,
    [agentId, id, provider, model, providerKeyOf(embedder), vectorsPerText, halfColumn],
  );
  return (await findSet(sql, agentId, id))!;
}

/**
 * SQL: a chunk `c` has no row in a set. `OFFSET 0` makes the server look up each chunk separately; otherwise it joins
 * all vectors of the set with all chunks, although only the first few missing ones are needed.
 */
export const lacksVectors = (set: string): string =>
  `NOT EXISTS (SELECT 1 FROM longhand.chunks_vec v WHERE v.agent_id = c.agent_id AND v.embedder_id = ${set} AND v.key = c.key OFFSET 0)`;

/**
 * Chunks of the agent `$1` without a row in the set `$2`; the set's `done_key` says up to where none can be missing.
 */
export const missingChunks = `FROM longhand.chunks c WHERE c.agent_id = $1 AND c.key > $3 AND ${lacksVectors("$2")}`;

export async function isAnyMissing(sql: Sql, agentId: number, set: SetRow): Promise<boolean> {
  const rows = await sql(`SELECT 1 ${missingChunks} LIMIT 1`, [agentId, set.id, set.done_key]);
  return rows.length > 0;
}

export async function markUsed(sql: Sql, agentId: number, name: string, at: number): Promise<void> {
  await sql("UPDATE longhand.embedders SET used_at = $3 WHERE agent_id = $1 AND name = $2", [
    agentId,
    name,
    Math.trunc(at),
  ]);
}

export async function dropSet(sql: Sql, { agent_id, id }: Pick<SetRow, "id" | "agent_id">): Promise<void> {
  await sql(deleteRows("chunks_vec", "agent_id = $1 AND embedder_id = $2"), [agent_id, id]);
  await sql(deleteRows("embedders", "agent_id = $1 AND id = $2"), [agent_id, id]);
}
