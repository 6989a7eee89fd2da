import type { SourceName } from "../../text/document.ts";
import { createLineSearch, type SearchedChunk } from "../needle-search.ts";
import type { PurgeReport, RepairOptions } from "../store.ts";
import type { Tokens } from "../tokens.ts";
import { lockAgent } from "./agent-row.ts";
import type { Sql } from "./database.ts";
import { deleteRows, deleteSelected } from "./delete-rows.ts";
import { removeDocuments } from "./documents-write.ts";
import { evictUnused } from "./embedding-cache.ts";
import { countSources, writeCounts } from "./meta.ts";
import { entryBytes } from "./postings.ts";
import { rebuildWords } from "./words-write.ts";

export interface RepairParts {
  readonly sql: Sql;
  readonly agentId: number;
  readonly tokens: Tokens;
  readonly at: number;
}

/**
 * In the caller's transaction, which holds the lock of the agent: reads all rows of an agent, repairs what it can, and
 * reports what was done. The database files are the server's responsibility.
 */
export async function repairAgent(parts: RepairParts, { words, vectors }: RepairOptions): Promise<string[]> {
  const { sql, agentId, tokens } = parts;
  const done: string[] = [];
  const orphans = await count(
    sql,
    deleteRows(
      "chunks",
      "agent_id = $1 AND NOT EXISTS (SELECT 1 FROM longhand.files f WHERE f.agent_id = $1 AND f.id = t.file_id)",
    ),
    agentId,
  );
  if (orphans > 0) done.push(`deleted ${orphans} chunks that belong to no document`);
  const incomplete = await findIncomplete(sql, agentId);
  for (const [source, rows] of Map.groupBy(incomplete, (each) => each.source)) {
    const agent = await lockAgent(sql, agentId);
    await removeDocuments(
      { ...parts, agent },
      source,
      rows.map(({ path }) => path),
    );
  }
  if (incomplete.length > 0) {
    done.push(`removed ${incomplete.length} incomplete documents, to index them again`);
  }
  await writeCounts(sql, agentId, await countSources(sql, agentId));
  if (words === "rebuild" || orphans > 0 || !(await areWordsSound(sql, agentId))) {
    await rebuildWords(sql, agentId, tokens);
    done.push("built the words again");
  }
  if (vectors === "drop") {
    await sql(deleteRows("chunks_vec", "agent_id = $1"), [agentId]);
    await sql(deleteRows("embedders", "agent_id = $1"), [agentId]);
    done.push("dropped all vectors, to make them again");
  } else {
    done.push(...(await repairVectors(sql, agentId)));
  }
  return done;
}

/** Documents with missing or surplus chunks. */
async function findIncomplete(sql: Sql, agentId: number): Promise<{ source: SourceName; path: string }[]> {
  return await sql(
    `SELECT f.source, f.path FROM longhand.files f
     LEFT JOIN (SELECT file_id, count(*) AS count, min(position) AS first, max(position) AS last
       FROM longhand.chunks WHERE agent_id = $1 GROUP BY file_id) AS c ON c.file_id = f.id
     WHERE f.agent_id = $1 AND (f.chunk_count <> coalesce(c.count, 0)
       OR (c.count > 0 AND (c.first <> 0 OR c.last <> c.count - 1)))`,
    [agentId],
  );
}

/** Whether postings match the chunks' token counts, and the agent's counts are right. */
async function areWordsSound(sql: Sql, agentId: number): Promise<boolean> {
  const rows = await sql(
    `SELECT 1 FROM longhand.agents a,
       (SELECT count(*) AS chunks, coalesce(sum(token_count), 0) AS tokens, coalesce(sum(word_count), 0) AS words
        FROM longhand.chunks WHERE agent_id = $1) AS c,
       (SELECT coalesce(sum(octet_length(entries)), 0) / ${entryBytes}.0 AS words
        FROM longhand.postings WHERE agent_id = $1) AS p,
       (SELECT coalesce(sum(octet_length(entries)), 0) / ${entryBytes}.0 AS words,
          coalesce(sum(cardinality(tokens)), 0) AS tokens
        FROM longhand.fresh_words WHERE agent_id = $1) AS f
     WHERE a.id = $1 AND (a.chunk_count <> c.chunks OR a.token_count <> c.tokens OR f.tokens <> f.words
       OR c.words <> p.words + f.words)`,
    [agentId],
  );
  return rows.length === 0;
}

async function repairVectors(sql: Sql, agentId: number): Promise<string[]> {
  const done: string[] = [];
  const strays = await count(
    sql,
    deleteRows(
      "chunks_vec",
      `t.agent_id = $1 AND (
         NOT EXISTS (SELECT 1 FROM longhand.chunks c WHERE c.agent_id = $1 AND c.key = t.key)
         OR NOT EXISTS (SELECT 1 FROM longhand.embedders e WHERE e.id = t.embedder_id AND e.agent_id = $1))`,
    ),
    agentId,
  );
  if (strays > 0) done.push(`deleted ${strays} vectors that belong to no chunk`);
  const lost = await count(
    sql,
    deleteSelected(
      "chunks_vec",
      `SELECT v.ctid FROM longhand.chunks_vec v
       JOIN longhand.embedders e ON e.agent_id = $1 AND e.id = v.embedder_id AND e.vectors_per_text = 'one'
       JOIN longhand.chunks c ON c.agent_id = $1 AND c.key = v.key
       WHERE v.agent_id = $1 AND NOT EXISTS (
         SELECT 1 FROM longhand.embedding_cache m WHERE m.agent_id = $1 AND m.provider_key = e.provider_key
           AND m.hash = c.hash AND m.provider = e.provider AND m.model = e.model)`,
    ),
    agentId,
  );
  if (lost > 0) done.push(`deleted ${lost} vectors whose exact form is gone, to make them again`);
  const holes = await sql(
    `UPDATE longhand.embedders e SET done_key = 0 WHERE e.agent_id = $1 AND EXISTS (
       SELECT 1 FROM longhand.chunks c WHERE c.agent_id = $1 AND c.key <= e.done_key
         AND NOT EXISTS (SELECT 1 FROM longhand.chunks_vec v
           WHERE v.agent_id = $1 AND v.embedder_id = e.id AND v.key = c.key))
     RETURNING 1`,
    [agentId],
  );
  if (holes.length > 0 && lost === 0) done.push("found chunks without vectors, to make them again");
  return done;
}

async function count(sql: Sql, statement: string, agentId: number): Promise<number> {
  const [row] = await sql<{ count: number }>(statement, [agentId]);
  return row?.count ?? 0;
}

const chunksAtOnce = 500;

/**
 * Deletes every cached vector that no chunk uses: which of them belong to the texts is unknown. Tokens were deleted
 * with their chunks. What the server keeps of deleted rows (until a vacuum, in its log, in backups) cannot be checked
 * from here, and the report says so.
 */
export async function purgeAgent(sql: Sql, agentId: number, texts: readonly string[]): Promise<PurgeReport> {
  const cacheEntries = await evictUnused(sql, agentId);
  return {
    cacheEntries,
    stillIn: await findSameLines(sql, agentId, texts),
    deletedFiles: [],
    rawSearch: "not-possible",
    detail:
      "the server keeps deleted rows on its disk until it vacuums its tables, and in its log and backups",
    advice: "To have them gone at once, rewrite the tables with VACUUM FULL (docs/scaling.md, Forgetting).",
  };
}

async function findSameLines(
  sql: Sql,
  agentId: number,
  texts: readonly string[],
): Promise<PurgeReport["stillIn"]> {
  const search = createLineSearch(texts);
  for (let last = 0; !search.isPointless; ) {
    const rows = await sql<SearchedChunk & { key: number }>(
      `SELECT c.key::float8 AS key, c.text, c.start_line, c.end_line, f.path
       FROM longhand.chunks c JOIN longhand.files f ON f.agent_id = c.agent_id AND f.id = c.file_id
       WHERE c.agent_id = $1 AND c.key > $2 ORDER BY c.key LIMIT ${chunksAtOnce}`,
      [agentId, last],
    );
    if (!rows.every(search.visit) || rows.length < chunksAtOnce) break;
    last = rows.at(-1)!.key;
  }
  return search.found();
}
