import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { systemErrorCode } from "../../errors.ts";
import { createLineSearch, type SearchedChunk } from "../needle-search.ts";
import type { PurgeReport, RepairOptions, StoreDescription } from "../store.ts";
import type { Tokens } from "../tokens.ts";
import { beginWrite } from "./document-rows.ts";
import type { Lance, LanceTable } from "./lance-package.ts";
import { removeQuarantined } from "./quarantine.ts";
import { type ChunkRow, chunkColumns } from "./schema.ts";
import type { Session } from "./session.ts";
import { deleteRowsWith, findRows, findRowsWith, inParts, isChunk } from "./sql.ts";
import { indexWords, wordColumns } from "./words.ts";

const rowsAtOnce = 2000;

/**
 * Within a write: reads the whole table and repairs what it can. Incomplete documents are removed; the next sync adds
 * them again. If the table cannot be read, that is an error and the table is quarantined.
 */
export async function repairTables(
  session: Session,
  tokens: Tokens,
  { words }: RepairOptions,
): Promise<string[]> {
  const { chunks } = session;
  const done: string[] = [];
  const counts = new Map<string, { expected: number | null; found: number }>();
  for await (const batch of chunks.query()) {
    for (const row of batch) {
      const { doc, id, chunk_count } = row!.toJSON() as unknown as ChunkRow;
      const count = counts.get(doc) ?? { expected: null, found: 0 };
      if (id === null) count.expected = chunk_count;
      else count.found++;
      counts.set(doc, count);
    }
  }
  const incomplete = [...counts].filter(([, { expected, found }]) => expected !== found).map(([doc]) => doc);
  if (incomplete.length > 0) {
    await (await beginWrite(session)).noteRemoval();
    await deleteRowsWith(chunks, "doc", incomplete);
    done.push(`removed ${incomplete.length} incomplete documents, to index them again`);
  }
  if (words === "rebuild") {
    await rebuildWords(session, tokens);
    done.push("built the full-text index again");
  }
  return done;
}

/** Within a write: reanalyzes all chunks. Meanwhile readers see chunks with old or new tokens. */
export async function rebuildWords({ lance, arrow, chunks }: Session, tokens: Tokens): Promise<void> {
  const keys = (await findRows(chunks, isChunk, ["key"])).map(({ key }) => key);
  for (const part of inParts(keys, rowsAtOnce)) {
    const rows = await findRowsWith(chunks, ["key", part], chunkColumns(arrow));
    const rewritten = rows.map((row): ChunkRow => {
      const { text, headings, path } = row;
      const words = tokens({ text: text ?? "", headings: JSON.parse(headings ?? "[]"), path });
      return { ...row, ...wordColumns(words) };
    });
    await chunks.mergeInsert("key").whenMatchedUpdateAll().execute(rewritten);
  }
  await indexWords(lance, chunks);
}

/** The size of the tables: of the files in a folder, or as LanceDB reports it for remote storage. */
export async function measureTables(session: Session): Promise<StoreDescription["sizes"]> {
  const { folder } = session.location;
  const sizes = new Map<string, number>();
  for (const name of await session.tableNames()) {
    const table = folder === null ? await session.find(name) : null;
    sizes.set(name, table ? (await table.stats()).totalBytes : measure(join(folder!, `${name}.lance`)));
  }
  const sum = (prefix: string): number =>
    [...sizes].reduce((total, [name, size]) => (name.startsWith(prefix) ? total + size : total), 0);
  return { databaseBytes: sum(""), walBytes: 0, vectorBytes: sum("set_"), cacheBytes: sum("cache_") };
}

/** Files that vanish meanwhile are ignored. */
function measure(folder: string): number {
  try {
    return readdirSync(folder, { withFileTypes: true }).reduce((total, entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return total + measure(path);
      return total + (statSync(path, { throwIfNoEntry: false })?.size ?? 0);
    }, 0);
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return 0;
  }
}

/**
 * Within a write: leaves no trace of texts that no document contains. LanceDB keeps deleted rows in the files of their
 * neighbours, so all rows are rewritten, then the indexes, and then every earlier version is deleted. This cannot be
 * verified in the bytes, because LanceDB compresses them.
 */
export async function purgeTables(
  session: Session,
  texts: readonly string[],
): Promise<Omit<PurgeReport, "cacheEntries">> {
  const { chunks } = session;
  const { folder } = session.location;
  const deletedFiles = folder === null ? [] : removeQuarantined(folder);
  for (const name of await session.tableNames()) {
    const table = await session.find(name);
    if (table === null) continue;
    const key = name === "chunks" || name === "meta" ? "key" : "hash";
    if ((await table.countRows()) > 0) await table.update({ where: "true", valuesSql: { [key]: key } });
    if (name === "chunks") await indexWords(session.lance, table);
    await deleteVersions(table);
  }
  const lines = createLineSearch(texts);
  const columns = ["path", "start_line", "end_line", "text"];
  for await (const batch of lines.isPointless ? [] : chunks.query().where(isChunk).select(columns)) {
    for (const row of batch) lines.visit(row!.toJSON() as unknown as SearchedChunk);
  }
  return {
    stillIn: lines.found(),
    deletedFiles,
    rawSearch: "not-possible",
    detail: "LanceDB compresses its files; all tables were rewritten and every earlier version was deleted",
  };
}

/**
 * Many small files make every query slower, and tokens outside the full-text index are searched row by row. Merging
 * files rewrites the whole table, so larger tables are compacted less often.
 */
const maxFragments = (rows: number): number => 32 + rows / 1000;
const maxUnindexed = (rows: number): number => Math.max(2000, rows / 4);
/** Queries that began before this have ended: versions that only they could read are deleted. */
const oldVersionMs = 10 * 60_000;
/** With this many vectors, comparing a query with each of them takes longer than an index lookup. */
const minIndexed = 50_000;

/** With this many rows, these columns of `chunks` are worth an index. */
const minLookedUp = 10_000;
const lookedUp = ["id", "doc", "hash"] as const;

/** Within a write: keeps the number of files of a table small. */
export async function compactTable(table: LanceTable): Promise<void> {
  const { fragmentStats, numRows } = await table.stats();
  const isScattered = fragmentStats.numSmallFragments > maxFragments(numRows);
  if (!isScattered && (await countUnindexed(table)) <= maxUnindexed(numRows)) return;
  await table.optimize({ cleanupOlderThan: new Date(Date.now() - oldVersionMs) });
}

/** Within a write: the same for the table of chunks, with indexes on its lookup columns. */
export async function compactChunks({ lance: { Index }, chunks }: Session): Promise<void> {
  await compactTable(chunks);
  if ((await chunks.countRows()) < minLookedUp) return;
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
 * A vector index, once there are many vectors. It only finds candidates; they are compared exactly. Building takes long
 * (a minute for a hundred thousand), so not within a write: LanceDB lets others add rows meanwhile. New rows join the
 * index when the table is compacted, and are compared one by one until then.
 */
export async function indexVectors({ Index }: Lance, cache: LanceTable): Promise<void> {
  const rows = await cache.countRows();
  if (rows < minIndexed || (await cache.listIndices()).length > 0) return;
  const numPartitions = Math.round(Math.sqrt(rows) / 2);
  const config = Index.ivfPq({ distanceType: "cosine", numPartitions, maxIterations: 10 });
  await cache.createIndex("vector", { config });
}

/**
 * Deletes every version of a table but the last. Merging files and completing indexes create versions too, and the last
 * one may come after the cleanup.
 */
async function deleteVersions(table: LanceTable): Promise<void> {
  for (let attempt = 0; attempt < 3; attempt++) {
    await table.optimize({ cleanupOlderThan: new Date(Date.now() + 1000), deleteUnverified: true });
    if ((await table.listVersions()).length === 1) return;
  }
}
