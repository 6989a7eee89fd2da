import type { SourceName } from "../../text/document.ts";
import { type IndexMeta, indexMetaKey } from "../index-meta.ts";
import type { StoreStatistics } from "../store.ts";
import type { Sql } from "./database.ts";

export async function readMeta(sql: Sql, agentId: number): Promise<IndexMeta | null> {
  const json = await readValue(sql, agentId, indexMetaKey);
  return json === null ? null : (JSON.parse(json) as IndexMeta);
}

export async function writeMeta(sql: Sql, agentId: number, meta: IndexMeta): Promise<void> {
  await writeValue(sql, agentId, indexMetaKey, JSON.stringify(meta));
}

/** Values of other parts have their own prefix, so they never collide with the keys above. */
export const factKey = (key: string): string => `fact:${key}`;

export async function readValue(sql: Sql, agentId: number, key: string): Promise<string | null> {
  const [row] = await sql<{ value: string }>(
    "SELECT value FROM longhand.meta WHERE agent_id = $1 AND key = $2",
    [agentId, key],
  );
  return row?.value ?? null;
}

export async function writeValue(sql: Sql, agentId: number, key: string, value: string): Promise<void> {
  await sql(
    `INSERT INTO longhand.meta (agent_id, key, value) VALUES ($1, $2, $3)
     ON CONFLICT (agent_id, key) DO UPDATE SET value = excluded.value`,
    [agentId, key, value],
  );
}

/** How many documents and chunks each source has. */
type SourceCounts = StoreStatistics["sources"];

const countsKey = "source_counts_v1";

/**
 * The counts kept by writers; null if there are none yet. Every search asks, and counting the documents after each
 * change would take longer than the search.
 */
export async function readCounts(sql: Sql, agentId: number): Promise<SourceCounts | null> {
  const json = await readValue(sql, agentId, countsKey);
  return json === null ? null : (JSON.parse(json) as SourceCounts);
}

/** Counted from the documents. */
export async function countSources(sql: Sql, agentId: number): Promise<SourceCounts> {
  return await sql<SourceCounts[number]>(
    `SELECT source, count(*)::float8 AS files, sum(chunk_count)::float8 AS chunks FROM longhand.files
     WHERE agent_id = $1 GROUP BY source ORDER BY source`,
    [agentId],
  );
}

export async function writeCounts(sql: Sql, agentId: number, counts: SourceCounts): Promise<void> {
  await writeValue(sql, agentId, countsKey, JSON.stringify(counts));
}

/** Updates the counts. The caller holds the lock of the agent and has already changed the documents. */
export async function changeCounts(
  sql: Sql,
  agentId: number,
  before: SourceCounts | null,
  changes: SourceCounts,
): Promise<void> {
  if (before === null) return await writeCounts(sql, agentId, await countSources(sql, agentId));
  await writeCounts(sql, agentId, addCounts(before, changes));
}

function addCounts(before: SourceCounts, changes: SourceCounts): SourceCounts {
  const sums = new Map<SourceName, { files: number; chunks: number }>();
  for (const { source, files, chunks } of [...before, ...changes]) {
    const known = sums.get(source) ?? { files: 0, chunks: 0 };
    sums.set(source, { files: known.files + files, chunks: known.chunks + chunks });
  }
  return [...sums]
    .map(([source, sum]) => ({ source, ...sum }))
    .filter(({ files }) => files > 0)
    .sort((left, right) => (left.source < right.source ? -1 : 1));
}
