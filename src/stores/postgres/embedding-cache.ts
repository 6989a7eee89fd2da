import type { VectorEntry } from "../store-vectors.ts";
import { findVectorFault } from "../vectors/vector-codes.ts";
import { type CachedRow, type CacheOwner, toBlob, toEntries, toFloats } from "../vectors/vector-set.ts";
import type { Sql } from "./database.ts";
import { deleteSelected } from "./delete-rows.ts";
import { base64Of, encodeBytes, encodeIntegers, encodeTexts, fromBase64 } from "./sql-values.ts";
import { lacksVectors, type SetRow } from "./vector-sets.ts";

/** How many texts are looked up at a time. */
const cacheGroup = 400;

const ofOwner = "e.agent_id = $1 AND e.provider_key = $2 AND e.provider = $3 AND e.model = $4";
const ownerValues = (agentId: number, { provider, model, provider_key }: CacheOwner) => [
  agentId,
  provider_key,
  provider,
  model,
];

/** Whether a chunk uses the vectors of row `e`. */
const isUsed = `EXISTS (SELECT 1 FROM longhand.embedders m
  JOIN longhand.chunks c ON c.agent_id = e.agent_id AND c.hash = e.hash
  JOIN longhand.chunks_vec v ON v.agent_id = e.agent_id AND v.embedder_id = m.id AND v.key = c.key
  WHERE m.agent_id = e.agent_id AND m.provider = e.provider AND m.model = e.model AND m.provider_key = e.provider_key)`;

/** The vectors of chunks by key; missing or malformed ones are left out. */
export async function vectorsOfChunks(
  sql: Sql,
  agentId: number,
  set: SetRow,
  keys: readonly number[],
): Promise<Map<number, Float32Array>> {
  const found = new Map<number, Float32Array>();
  if (keys.length === 0) return found;
  // Not a join: for a new table the planner has no statistics, and the join could take seconds.
  const rows = await sql<{ key: number; embedding: string | null }>(
    `SELECT c.key::float8 AS key, (SELECT ${base64Of("e.embedding")} FROM longhand.embedding_cache e
       WHERE ${ofOwner} AND e.hash = c.hash) AS embedding
     FROM longhand.chunks c WHERE c.agent_id = $1 AND c.key = ANY($5::int8[])`,
    [...ownerValues(agentId, set), keys],
  );
  for (const { key, embedding } of rows) {
    const vector = embedding === null ? null : toFloats(fromBase64(embedding), set.dims);
    if (vector) found.set(key, vector);
  }
  return found;
}

/** The cached ones among the next group of chunks after `afterKey` that lack vectors. */
export async function lookForMissing(
  sql: Sql,
  agentId: number,
  owner: CacheOwner,
  set: SetRow | null,
  afterKey: number,
): Promise<{ lastKey: number | null; entries: VectorEntry[] }> {
  const rows = await sql<CodedRow & { key: number }>(
    `SELECT c.key::float8 AS key, c.hash, ${base64Of("e.embedding")} AS embedding, e.dims FROM (
       SELECT c.key, c.hash FROM longhand.chunks c WHERE c.agent_id = $1 AND c.key > $6 AND ${lacksVectors("$5")}
       ORDER BY c.key LIMIT ${cacheGroup}) c
     LEFT JOIN longhand.embedding_cache e ON ${ofOwner} AND e.hash = c.hash ORDER BY c.key`,
    [...ownerValues(agentId, owner), set?.id ?? 0, Math.max(afterKey, set?.done_key ?? 0)],
  );
  const isLast = rows.length < cacheGroup;
  return { lastKey: isLast ? null : rows.at(-1)!.key, entries: toEntries(rows.map(decode), set?.dims ?? 0) };
}

/** The cached ones among these texts. */
export async function lookUp(
  sql: Sql,
  agentId: number,
  owner: CacheOwner,
  set: SetRow | null,
  hashes: readonly string[],
): Promise<VectorEntry[]> {
  if (hashes.length === 0) return [];
  const rows = await sql<CodedRow>(
    `SELECT e.hash, ${base64Of("e.embedding")} AS embedding, e.dims FROM longhand.embedding_cache e
     WHERE ${ofOwner} AND e.hash = ANY($5::text[])`,
    [...ownerValues(agentId, owner), hashes],
  );
  return toEntries(rows.map(decode), set?.dims ?? 0);
}

interface CodedRow {
  readonly hash: string;
  readonly embedding: string | null;
  readonly dims: number | null;
}

function decode({ hash, embedding, dims }: CodedRow): CachedRow {
  return { hash, dims, embedding: embedding === null ? null : fromBase64(embedding) };
}

/** The next vectors of an owner after a hash; malformed ones are left out. */
export async function readCachePage(
  sql: Sql,
  agentId: number,
  owner: CacheOwner,
  afterHash: string,
): Promise<{ lastHash: string | null; entries: VectorEntry[] }> {
  const rows = await sql<CodedRow>(
    `SELECT e.hash, ${base64Of("e.embedding")} AS embedding, e.dims FROM longhand.embedding_cache e
     WHERE ${ofOwner} AND e.hash > $5 ORDER BY e.hash LIMIT ${cacheGroup}`,
    [...ownerValues(agentId, owner), afterHash],
  );
  const entries = rows.flatMap((row) => toEntries([decode(row)], 0));
  return { lastHash: rows.length < cacheGroup ? null : rows.at(-1)!.hash, entries };
}

export interface KeptVector {
  readonly hash: string;
  /** Unit length; null for a text with nothing to embed. */
  readonly vector: Float32Array | null;
}

/** Caches vectors. An existing one stays, unless its dimensions differ. Returns the vectors that are cached now. */
export async function keepVectors(
  sql: Sql,
  agentId: number,
  set: SetRow,
  wanted: readonly KeptVector[],
  { dims, at }: { readonly dims: number; readonly at: number },
): Promise<KeptVector[]> {
  if (wanted.length === 0) return [];
  const added = new Set(await insertVectors(sql, agentId, set, wanted, { at, onConflict: "DO NOTHING" }));
  const others = wanted.filter(({ hash }) => !added.has(hash));
  if (others.length === 0) return [...wanted];
  const rows = await sql<{ hash: string; embedding: string }>(
    `SELECT e.hash, ${base64Of("e.embedding")} AS embedding FROM longhand.embedding_cache e
     WHERE ${ofOwner} AND e.hash = ANY($5::text[])`,
    [...ownerValues(agentId, set), others.map(({ hash }) => hash)],
  );
  const known = new Map<string, Float32Array>();
  for (const { hash, embedding } of rows) {
    const vector = toFloats(fromBase64(embedding), dims);
    if (dims > 0 && vector !== null && findVectorFault(vector, dims) === null) known.set(hash, vector);
  }
  const replaced = others.filter(({ hash }) => !known.has(hash));
  await insertVectors(sql, agentId, set, replaced, {
    at,
    onConflict:
      "DO UPDATE SET embedding = excluded.embedding, dims = excluded.dims, updated_at = excluded.updated_at",
  });
  return wanted.map(({ hash, vector }) => ({ hash, vector: known.get(hash) ?? vector }));
}

/** Returns the hashes of the inserted ones. */
async function insertVectors(
  sql: Sql,
  agentId: number,
  set: SetRow,
  kept: readonly KeptVector[],
  { at, onConflict }: { readonly at: number; readonly onConflict: string },
): Promise<string[]> {
  if (kept.length === 0) return [];
  const rows = await sql<{ hash: string }>(
    `INSERT INTO longhand.embedding_cache (agent_id, provider_key, provider, model, updated_at, hash, embedding, dims)
     SELECT $1, $2, $3, $4, $5, * FROM unnest($6::text[], $7::bytea[], $8::int4[])
     ON CONFLICT (agent_id, provider_key, hash, provider, model) ${onConflict} RETURNING hash`,
    [
      ...ownerValues(agentId, set),
      Math.trunc(at),
      encodeTexts(kept.map(({ hash }) => hash)),
      encodeBytes(kept.map(({ vector }) => (vector === null ? new Uint8Array(0) : toBlob(vector)))),
      encodeIntegers(kept.map(({ vector }) => vector?.length ?? 0)),
    ],
  );
  return rows.map(({ hash }) => hash);
}

export async function countCached(sql: Sql, agentId: number): Promise<number> {
  const [row] = await sql<{ count: number }>(
    "SELECT count(*)::float8 AS count FROM longhand.embedding_cache WHERE agent_id = $1",
    [agentId],
  );
  return row?.count ?? 0;
}

/** Evicts up to this many rows that no chunk uses, oldest first. Returns how many. */
export async function evictUnused(sql: Sql, agentId: number, max: number | null = null): Promise<number> {
  const [row] = await sql<{ count: number }>(
    deleteSelected(
      "embedding_cache",
      `SELECT e.ctid FROM longhand.embedding_cache e
       WHERE e.agent_id = $1 AND NOT ${isUsed} ORDER BY e.updated_at, e.hash LIMIT $2`,
    ),
    [agentId, max],
  );
  return row?.count ?? 0;
}
