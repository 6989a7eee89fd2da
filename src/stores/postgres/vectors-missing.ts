import type {
  EmbedderIdentity,
  EmbedderUsage,
  MissingText,
  NarrowTexts,
  VectorEntry,
  VectorStatistics,
} from "../store-vectors.ts";
import { cacheOwnerOf, estimateTokens, noUsage } from "../vectors/vector-set.ts";
import type { Database, Sql } from "./database.ts";
import { countCached, lookForMissing, lookUp } from "./embedding-cache.ts";
import { findSet, missingChunks, type SetRow } from "./vector-sets.ts";

/** A set that does not exist yet has id 0. */
type SetPosition = readonly [agentId: number, setId: number, doneKey: number];

/** Texts of chunks without vectors in a set, in the order of the chunks. */
export async function readMissing(
  sql: Sql,
  [agentId, setId, doneKey]: SetPosition,
  limit: number,
  except: ReadonlySet<string> | undefined,
): Promise<MissingText[]> {
  const texts = new Map<string, MissingText>();
  const known = [...(except ?? [])];
  let after = doneKey;
  while (texts.size < limit) {
    const rows = await sql<MissingText & { key: number }>(
      `SELECT c.key::float8 AS key, c.hash, c.text ${missingChunks} AND c.hash <> ALL($4::text[]) ORDER BY c.key LIMIT $5`,
      [agentId, setId, after, known, limit],
    );
    for (const { hash, text } of rows) {
      if (texts.size < limit && !texts.has(hash)) texts.set(hash, { hash, text });
    }
    if (rows.length < limit) break;
    after = rows.at(-1)!.key;
  }
  return [...texts.values()];
}

/** The same for some texts only, in their order. */
export async function readMissingOf(
  sql: Sql,
  [agentId, setId]: SetPosition,
  limit: number,
  { only, except }: NarrowTexts & { readonly only: readonly string[] },
): Promise<MissingText[]> {
  const wanted = [...new Set(only)].filter((hash) => !except?.has(hash));
  const rows = await sql<MissingText>(
    `SELECT DISTINCT ON (c.hash) c.hash, c.text FROM unnest($3::text[]) AS w (hash)
     JOIN longhand.chunks c ON c.agent_id = $1 AND c.hash = w.hash
     WHERE NOT EXISTS (SELECT 1 FROM longhand.chunks_vec v WHERE v.agent_id = $1 AND v.embedder_id = $2 AND v.key = c.key)`,
    [agentId, setId, wanted],
  );
  const byHash = new Map(rows.map(({ hash, text }) => [hash, { hash, text }]));
  return wanted.flatMap((hash) => byHash.get(hash) ?? []).slice(0, limit);
}

interface ReuseParts {
  readonly db: Database;
  readonly agentId: number;
  /** Assigns the vectors to all chunks with their texts. */
  readonly keep: (entries: readonly VectorEntry[]) => Promise<void>;
}

/** Assigns cached vectors to all texts that lack them, in groups. Returns how many. */
export async function reuseAll(
  { db, agentId, keep }: ReuseParts,
  embedder: EmbedderIdentity,
): Promise<number> {
  const owner = cacheOwnerOf(embedder);
  let reused = 0;
  for (let after: number | null = 0; after !== null; ) {
    const from: number = after;
    const { lastKey, entries } = await db.read(async (sql) =>
      lookForMissing(sql, agentId, owner, await findSet(sql, agentId, embedder.id), from),
    );
    if (entries.length > 0) await keep(entries);
    reused += entries.length;
    after = lastKey;
  }
  return reused;
}

/** The same for some texts only. */
export async function reuseSome(
  { db, agentId, keep }: ReuseParts,
  embedder: EmbedderIdentity,
  hashes: readonly string[],
): Promise<number> {
  const found = await db.read(async (sql) => {
    const set = await findSet(sql, agentId, embedder.id);
    const missing = await readMissingOf(sql, [agentId, set?.id ?? 0, 0], hashes.length, { only: hashes });
    const wanted = missing.map(({ hash }) => hash);
    return await lookUp(sql, agentId, cacheOwnerOf(embedder), set, wanted);
  });
  if (found.length > 0) await keep(found);
  return found.length;
}

/** How many chunks have vectors, and how many lack them. */
export async function countVectors(
  sql: Sql,
  agentId: number,
  embedderId: string,
  set: SetRow | null,
  hasColumn: boolean,
): Promise<Omit<VectorStatistics, "path" | "loadError">> {
  const place = [agentId, set?.id ?? 0, set?.done_key ?? 0];
  const size = `coalesce(octet_length(v.codes), 0)${hasColumn ? " + coalesce(pg_column_size(v.embedding), 0)" : ""}`;
  const [done] = await sql<{ texts: number; size: number }>(
    `SELECT count(DISTINCT c.hash)::float8 AS texts, coalesce(sum(${size}), 0)::float8 AS size
     FROM longhand.chunks_vec v JOIN longhand.chunks c ON c.agent_id = $1 AND c.key = v.key WHERE v.agent_id = $1 AND v.embedder_id = $2`,
    place.slice(0, 2),
  );
  const [lacking] = await sql<{ count: number; size: number }>(
    `SELECT count(*)::float8 AS count, coalesce(sum(size), 0)::float8 AS size
     FROM (SELECT max(octet_length(c.text)) AS size ${missingChunks} GROUP BY c.hash) AS t`,
    place,
  );
  const [usage] = await sql<EmbedderUsage>(
    `SELECT requests::float8 AS requests, tokens::float8 AS tokens, texts::float8 AS texts, cost_usd AS "costUsd"
     FROM longhand.embedder_usage WHERE agent_id = $1 AND embedder = $2`,
    [agentId, embedderId],
  );
  return {
    texts: done?.texts ?? 0,
    missing: lacking?.count ?? 0,
    missingTokens: estimateTokens(lacking?.size ?? 0),
    sizeBytes: done?.size ?? 0,
    ...(set === null || set.dims === 0 ? {} : { dims: set.dims }),
    usage: usage ?? noUsage,
    cacheEntries: await countCached(sql, agentId),
  };
}
