import type { Lance, LanceTable } from "./lance-package.ts";

/**
 * Many small files make every question slower, and words that are not in the full-text index are looked for row by row.
 * Joining files writes the whole table anew, so it is done the more rarely the larger the table is.
 */
const mostFragments = (rows: number): number => 32 + rows / 1000;
const mostUnindexed = (rows: number): number => Math.max(2000, rows / 4);
/** A question that began earlier than this has ended: what only it could read is deleted. */
const oldVersionMs = 10 * 60_000;
/** From so many vectors on, comparing a question with each of them takes longer than looking up an index. */
const leastIndexed = 50_000;

/** From so many rows on, these columns of `chunks` are worth an index. */
const leastLookedUp = 10_000;
const lookedUp = ["id", "doc", "hash"] as const;

/** Within a write: keeps the files of a table few. */
export async function tendTable(table: LanceTable, nowMs: number): Promise<void> {
  const { fragmentStats, numRows } = await table.stats();
  const isScattered = fragmentStats.numSmallFragments > mostFragments(numRows);
  if (!isScattered && (await countUnindexed(table)) <= mostUnindexed(numRows)) return;
  await table.optimize({ cleanupOlderThan: new Date(nowMs - oldVersionMs) });
}

/** Within a write: the same for the table of chunks, with indexes on what rows are looked up by. */
export async function tendChunks({ Index }: Lance, chunks: LanceTable, nowMs: number): Promise<void> {
  await tendTable(chunks, nowMs);
  if ((await chunks.countRows()) < leastLookedUp) return;
  const indexed = new Set((await chunks.listIndices()).flatMap(({ columns }) => columns));
  for (const column of lookedUp) {
    if (!indexed.has(column)) await chunks.createIndex(column, { config: Index.btree() });
  }
}

async function countUnindexed(table: LanceTable): Promise<number> {
  const indices = await table.listIndices();
  return Math.max(0, ...indices.map(({ numUnindexedRows }) => Number(numUnindexedRows ?? 0)));
}

/**
 * An index over vectors when there are many. It only finds candidates; they are compared exactly. It takes long (a minute
 * for a hundred thousand), so not within a write: LanceDB lets others add rows meanwhile. New rows join it when the
 * table is tended, and are compared one by one until then.
 */
export async function indexVectors({ Index }: Lance, cache: LanceTable): Promise<void> {
  const rows = await cache.countRows();
  if (rows < leastIndexed || (await cache.listIndices()).length > 0) return;
  const numPartitions = Math.round(Math.sqrt(rows) / 2);
  const config = Index.ivfPq({ distanceType: "cosine", numPartitions, maxIterations: 10 });
  await cache.createIndex("vector", { config });
}

/**
 * Within a write: leaves nothing of what was deleted from a table. LanceDB keeps deleted rows in the files of their
 * neighbours, so all rows are written anew, then the indexes, and then every earlier version is deleted.
 */
export async function rewriteTable(
  table: LanceTable,
  { column, reindex }: { readonly column: string; readonly reindex: (table: LanceTable) => Promise<void> },
): Promise<void> {
  if ((await table.countRows()) > 0) await table.update({ where: "true", valuesSql: { [column]: column } });
  await reindex(table);
  // Joining files and completing indexes are versions of their own, of which the last may come after the cleaning.
  for (let attempt = 0; attempt < 3; attempt++) {
    await table.optimize({ cleanupOlderThan: new Date(Date.now() + 1000), deleteUnverified: true });
    if ((await table.listVersions()).length === 1) return;
  }
}
