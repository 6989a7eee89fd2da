import { createLineSearch, type SearchedChunk } from "../line-search.ts";
import type { PurgeReport } from "../store.ts";
import type { Sql } from "./database.ts";
import { evictUnused } from "./embedding-cache.ts";

const chunksAtOnce = 500;

/**
 * Deletes every cached vector that no chunk uses: nobody knows which of them tell of the texts. Words went with their
 * chunks. What the server keeps of deleted rows (until a vacuum, in its log, in backups) cannot be looked into from
 * here, and that is said.
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
