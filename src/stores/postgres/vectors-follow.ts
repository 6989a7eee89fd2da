import type { AgentRow } from "./agent-row.ts";
import type { Sql } from "./database.ts";
import { deleteRows, withDeleted } from "./delete-rows.ts";
import { lacksVectors } from "./vector-sets.ts";

/** How many deleted keys are remembered for those who hold vectors in memory. */
const rememberedGone = 4096;

/** Which sets an agent has, and in which columns of `chunks_vec` vectors are; pgvector's is there once the extension is. */
export interface VectorSets {
  readonly ids: readonly number[];
  readonly columns: readonly string[];
}

export async function readVectorSets(sql: Sql, agentId: number): Promise<VectorSets> {
  const [row] = await sql<VectorSets>(
    `SELECT ARRAY(SELECT id FROM longhand.embedders WHERE agent_id = $1) AS ids,
       ARRAY(SELECT attname::text FROM pg_attribute WHERE attrelid = 'longhand.chunks_vec'::regclass
         AND attname IN ('codes', 'embedding') AND NOT attisdropped) AS columns`,
    [agentId],
  );
  return row!;
}

/** Moves `done_key` of every set up to where none can be missing, and notes that one of them is in use. */
export async function advanceSets(
  sql: Sql,
  agentId: number,
  used: { readonly id: number; readonly at: number } | null = null,
): Promise<void> {
  await sql(
    `UPDATE longhand.embedders e SET done_key = coalesce(
       (SELECT c.key - 1 FROM longhand.chunks c WHERE c.agent_id = $1 AND c.key > e.done_key AND ${lacksVectors("e.id")}
        ORDER BY c.key LIMIT 1),
       greatest(e.done_key, (SELECT coalesce(max(key), 0) FROM longhand.chunks WHERE agent_id = $1))),
       used_at = CASE WHEN e.id = $2 THEN $3 ELSE e.used_at END
     WHERE e.agent_id = $1`,
    [agentId, used?.id ?? 0, Math.trunc(used?.at ?? 0)],
  );
}

/** The chunks that were just added take the vectors of older chunks with the same text, each looked up by itself. */
export async function inheritVectors(
  sql: Sql,
  agent: AgentRow,
  { ids, columns }: VectorSets,
  addedCount: number,
): Promise<void> {
  if (addedCount === 0 || ids.length === 0) return;
  const inherited = await sql(
    `INSERT INTO longhand.chunks_vec (embedder_id, key, agent_id, ${columns.join(", ")})
     SELECT DISTINCT ON (v.embedder_id, n.key) v.embedder_id, n.key, $1, ${columns.map((name) => `v.${name}`).join(", ")}
     FROM longhand.chunks n
     CROSS JOIN LATERAL (
       SELECT t.key FROM longhand.chunks t WHERE t.agent_id = $1 AND t.hash = n.hash AND t.key < $2 OFFSET 0) AS t
     CROSS JOIN LATERAL (
       SELECT * FROM longhand.chunks_vec v
       WHERE v.agent_id = $1 AND v.embedder_id = ANY($3::int4[]) AND v.key = t.key OFFSET 0) AS v
     WHERE n.agent_id = $1 AND n.key >= $2
     ON CONFLICT DO NOTHING RETURNING 1`,
    [agent.id, agent.nextKey, ids],
  );
  if (inherited.length > 0) await advanceSets(sql, agent.id);
}

/** Deletes the vectors of chunks that go, and remembers which: gives how many had some. */
export async function removeVectors(
  sql: Sql,
  agent: AgentRow,
  { ids }: VectorSets,
  keys: readonly number[],
): Promise<number> {
  if (ids.length === 0) return 0;
  const gone = await sql<{ count: number }>(
    `${withDeleted("chunks_vec", "key", "agent_id = $1 AND embedder_id = ANY($3::int4[]) AND key = ANY($2::int8[])")},
     noted AS (
       INSERT INTO longhand.chunks_gone (agent_id, seq, key)
       SELECT $1, $4 + row_number() OVER (), key FROM (SELECT DISTINCT key FROM deleted CROSS JOIN gone) AS k RETURNING 1)
     SELECT count(*)::int4 AS count FROM noted`,
    [agent.id, keys, ids, agent.goneCount],
  );
  const count = gone[0]?.count ?? 0;
  if (count > 0) {
    await sql(deleteRows("chunks_gone", "agent_id = $1 AND seq <= $2"), [
      agent.id,
      agent.goneCount + count - rememberedGone,
    ]);
  }
  return count;
}
