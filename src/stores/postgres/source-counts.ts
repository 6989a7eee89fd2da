import type { SourceName } from "../../text/document.ts";
import type { StoreStatistics } from "../store.ts";
import type { Sql } from "./database.ts";
import { readValue, writeValue } from "./meta.ts";

/** How many documents and chunks each source has. */
type SourceCounts = StoreStatistics["sources"];

const countsKey = "source_counts_v1";

/**
 * What writers have noted; null where none has yet. Every search asks for it, and to count the documents each time that
 * one has changed would take longer than the search.
 */
export async function readCounts(sql: Sql, agentId: number): Promise<SourceCounts | null> {
  const json = await readValue(sql, agentId, countsKey);
  return json === null ? null : (JSON.parse(json) as SourceCounts);
}

/** From the documents themselves. */
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

/** Notes what has come and gone. The caller has the lock of the agent and has changed the documents already. */
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
