import type { EmbedderIdentity, VectorEntry } from "../store-vectors.ts";
import { encodeText, refuseFaultyVectors, toUnit } from "../vectors/vector-codes.ts";
import type { AgentRow } from "./agent-row.ts";
import type { Sql } from "./database.ts";
import { deleteRows, withDeleted } from "./delete-rows.ts";
import { keepVectors, vectorsOfChunks } from "./embedding-cache.ts";
import { encodeBytes, encodeTexts } from "./sql-values.ts";
import { encodeVectorArray, type VectorExtension } from "./vector-extension.ts";
import { ensureSet, lacksVectors, type SetRow } from "./vector-sets.ts";

export interface VectorWritingParts {
  readonly sql: Sql;
  readonly agentId: number;
  /** Null if the database has no pgvector. */
  readonly extension: VectorExtension | null;
  readonly at: number;
}

/** Stores vectors for all chunks with their texts. The caller holds the lock of the agent. */
export async function putVectors(
  parts: VectorWritingParts,
  embedder: EmbedderIdentity,
  entries: readonly VectorEntry[],
  vectorsPerText: "one" | "several",
): Promise<void> {
  const { sql, agentId, at } = parts;
  const set = await ensureSet(sql, agentId, embedder, {
    vectorsPerText,
    halfColumn: parts.extension?.column ?? null,
  });
  const dims = set.dims || (entries.find(({ vectors }) => vectors.length > 0)?.vectors[0]?.length ?? 0);
  for (const { vectors } of entries) {
    refuseFaultyVectors(vectors, { dims, embedderId: embedder.id, vectorsPerText: set.vectors_per_text });
  }
  if (dims !== set.dims) {
    await sql("UPDATE longhand.embedders SET dims = $3 WHERE agent_id = $1 AND id = $2", [
      agentId,
      set.id,
      dims,
    ]);
  }
  // The first of two vectors for one text counts, and none for a text that no chunk contains any more: it may have been
  // forgotten.
  const held = await findHeld(sql, agentId, entries);
  const texts = [...new Map(entries.toReversed().map((entry) => [entry.hash, entry])).values()].filter(
    ({ hash }) => held.has(hash),
  );
  if (set.vectors_per_text === "several") await insertCodes(parts, set, texts);
  else await insertSingles(parts, { ...set, dims }, texts);
  await advanceSets(sql, agentId, { id: set.id, at });
}

async function findHeld(
  sql: Sql,
  agentId: number,
  entries: readonly VectorEntry[],
): Promise<ReadonlySet<string>> {
  const rows = await sql<{ hash: string }>(
    "SELECT hash FROM longhand.chunks WHERE agent_id = $1 AND hash = ANY($2::text[])",
    [agentId, entries.map(({ hash }) => hash)],
  );
  return new Set(rows.map(({ hash }) => hash));
}

const ofTexts = `JOIN longhand.chunks c ON c.agent_id = $2 AND c.hash = t.hash
  ON CONFLICT DO NOTHING`;

async function insertCodes(
  { sql, agentId }: VectorWritingParts,
  set: SetRow,
  texts: readonly VectorEntry[],
): Promise<void> {
  await sql(
    `INSERT INTO longhand.chunks_vec (embedder_id, key, agent_id, codes)
     SELECT $1, c.key, $2, t.codes FROM unnest($3::text[], $4::bytea[]) AS t (hash, codes) ${ofTexts}`,
    [
      set.id,
      agentId,
      encodeTexts(texts.map(({ hash }) => hash)),
      encodeBytes(texts.map(({ vectors }) => encodeText("bits", vectors))),
    ],
  );
}

async function insertSingles(
  { sql, agentId, extension, at }: VectorWritingParts,
  set: SetRow,
  texts: readonly VectorEntry[],
): Promise<void> {
  const wanted = texts.map(({ hash, vectors }) => ({
    hash,
    vector: vectors[0] === undefined ? null : toUnit(vectors[0]),
  }));
  const kept = await keepVectors(sql, agentId, set, wanted, { dims: set.dims, at });
  const hashes = encodeTexts(kept.map(({ hash }) => hash));
  if (extension === null) {
    await sql(
      `INSERT INTO longhand.chunks_vec (embedder_id, key, agent_id)
       SELECT $1, c.key, $2 FROM unnest($3::text[]) AS t (hash) ${ofTexts}`,
      [set.id, agentId, hashes],
    );
    return;
  }
  const { schema, vectorOid } = extension;
  const vectors = kept.map(({ vector }) => vector);
  await sql(
    `INSERT INTO longhand.chunks_vec (embedder_id, key, agent_id, embedding)
     SELECT $1, c.key, $2, t.embedding::${schema}.halfvec
     FROM unnest($3::text[], $4::${schema}.vector[]) AS t (hash, embedding) ${ofTexts}`,
    [set.id, agentId, hashes, encodeVectorArray(vectors, vectorOid)],
  );
}

const rowsAtOnce = 400;

/**
 * Copies vectors of a set that is older than the extension into pgvector's column, in groups. Returns the last key;
 * null if none are left, and then the set is marked as complete.
 */
export async function fillHalves(
  { sql, agentId }: VectorWritingParts,
  set: SetRow,
  { schema, vectorOid, column }: VectorExtension,
  afterKey: number,
): Promise<number | null> {
  const rows = await sql<{ key: number }>(
    `SELECT key::float8 AS key FROM longhand.chunks_vec
     WHERE agent_id = $3 AND embedder_id = $1 AND key > $2 AND embedding IS NULL ORDER BY key LIMIT ${rowsAtOnce}`,
    [set.id, afterKey, agentId],
  );
  if (rows.length === 0) {
    await sql("UPDATE longhand.embedders SET half_column = $3 WHERE agent_id = $1 AND id = $2", [
      agentId,
      set.id,
      column,
    ]);
    return null;
  }
  const keys = rows.map(({ key }) => key);
  const vectors = [...(await vectorsOfChunks(sql, agentId, set, keys))];
  await sql(
    `UPDATE longhand.chunks_vec v SET embedding = t.embedding::${schema}.halfvec
     FROM unnest($2::int8[], $3::${schema}.vector[]) AS t (key, embedding)
     WHERE v.agent_id = $4 AND v.embedder_id = $1 AND v.key = t.key`,
    [
      set.id,
      vectors.map(([key]) => key),
      encodeVectorArray(
        vectors.map(([, vector]) => vector),
        vectorOid,
      ),
      agentId,
    ],
  );
  return keys.at(-1)!;
}

/** How many deleted keys are kept for processes that hold vectors in memory. */
const rememberedGone = 4096;

/** The sets of an agent, and the columns of `chunks_vec` with vectors; pgvector's exists only with the extension. */
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

/** Moves `done_key` of every set up to where none can be missing, and records that one of them is in use. */
async function advanceSets(
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

/** New chunks take the vectors of older chunks with the same text, each looked up separately. */
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

/** Deletes the vectors of removed chunks, and records their keys. Returns how many had vectors. */
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
