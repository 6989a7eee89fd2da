import type { EmbedderUsage, VectorStatistics } from "../store.ts";
import type { Sql } from "./database.ts";
import { countCached } from "./embedding-cache.ts";
import { missingChunks, type SetRow } from "./vector-sets.ts";

/** UTF-8: Latin text has about four bytes a token, Chinese three. */
const bytesPerToken = 3;

/** What there is of a set, and what is missing. */
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
    missingTokens: Math.ceil((lacking?.size ?? 0) / bytesPerToken),
    sizeBytes: done?.size ?? 0,
    ...(set === null || set.dims === 0 ? {} : { dims: set.dims }),
    usage: usage ?? { requests: 0, tokens: 0, texts: 0, costUsd: 0 },
    cacheEntries: await countCached(sql, agentId),
  };
}
