import type { AgentRow } from "./agent-row.ts";
import type { Sql } from "./database.ts";

/** How many deleted keys are remembered for those who hold vectors in memory. */
const rememberedGone = 4096;

/** Columns of `chunks_vec` that hold vectors; the one of pgvector is there once the extension is. */
async function readVectorColumns(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = 'longhand.chunks_vec'::regclass
       AND attname IN ('codes', 'embedding') AND NOT attisdropped`,
  );
  return rows.map(({ name }) => name);
}

async function readSets(sql: Sql, agentId: number): Promise<number[]> {
  const rows = await sql<{ id: number }>("SELECT id FROM longhand.embedders WHERE agent_id = $1", [agentId]);
  return rows.map(({ id }) => id);
}

/** Moves `done_key` of every set up to where none can be missing. */
export async function advanceSets(sql: Sql, agentId: number): Promise<void> {
  await sql(
    `UPDATE longhand.embedders e SET done_key = coalesce(
       (SELECT c.key - 1 FROM longhand.chunks c WHERE c.agent_id = $1 AND c.key > e.done_key
          AND NOT EXISTS (SELECT 1 FROM longhand.chunks_vec v WHERE v.embedder_id = e.id AND v.key = c.key)
        ORDER BY c.key LIMIT 1),
       greatest(e.done_key, (SELECT coalesce(max(key), 0) FROM longhand.chunks WHERE agent_id = $1)))
     WHERE e.agent_id = $1`,
    [agentId],
  );
}

/** The chunks that were just added take the vectors of older chunks with the same text. */
export async function inheritVectors(sql: Sql, agent: AgentRow, addedCount: number): Promise<void> {
  if (addedCount === 0) return;
  const sets = await readSets(sql, agent.id);
  if (sets.length === 0) return;
  const columns = await readVectorColumns(sql);
  const inherited = await sql(
    `INSERT INTO longhand.chunks_vec (embedder_id, key, agent_id, ${columns.join(", ")})
     SELECT DISTINCT ON (v.embedder_id, n.key) v.embedder_id, n.key, $1, ${columns.map((name) => `v.${name}`).join(", ")}
     FROM longhand.chunks n
     JOIN longhand.chunks t ON t.agent_id = $1 AND t.hash = n.hash AND t.key < $2
     JOIN longhand.chunks_vec v ON v.embedder_id = ANY($3::int4[]) AND v.key = t.key
     WHERE n.agent_id = $1 AND n.key >= $2
     ON CONFLICT DO NOTHING RETURNING 1`,
    [agent.id, agent.nextKey, sets],
  );
  if (inherited.length > 0) await advanceSets(sql, agent.id);
}

/** Deletes the vectors of chunks that go, and remembers which: gives how many had some. */
export async function removeVectors(sql: Sql, agent: AgentRow, keys: readonly number[]): Promise<number> {
  const sets = await readSets(sql, agent.id);
  if (sets.length === 0) return 0;
  const gone = await sql<{ count: number }>(
    `WITH gone AS (
       DELETE FROM longhand.chunks_vec WHERE embedder_id = ANY($3::int4[]) AND key = ANY($2::int8[]) RETURNING key),
     noted AS (
       INSERT INTO longhand.chunks_gone (agent_id, seq, key)
       SELECT $1, $4 + row_number() OVER (), key FROM (SELECT DISTINCT key FROM gone) AS k RETURNING 1)
     SELECT count(*)::int4 AS count FROM noted`,
    [agent.id, keys, sets, agent.goneCount],
  );
  const count = gone[0]?.count ?? 0;
  if (count > 0) {
    await sql("DELETE FROM longhand.chunks_gone WHERE agent_id = $1 AND seq <= $2", [
      agent.id,
      agent.goneCount + count - rememberedGone,
    ]);
  }
  return count;
}
