import { createLineSearch, type SearchedChunk } from "../line-search.ts";
import type { PurgeReport } from "../store.ts";
import type { LancePlace } from "./place.ts";
import type { Session } from "./session.ts";
import { removeSetAside } from "./set-aside.ts";
import { rewriteTable } from "./tend.ts";
import { indexWords } from "./words.ts";

/**
 * Within a write: leaves no trace of texts that no document has any more. All tables are written anew and every earlier
 * version is deleted. Whether that worked cannot be seen in the bytes: LanceDB compresses them.
 */
export async function purgeTables(
  session: Session,
  { folder }: LancePlace,
  texts: readonly string[],
): Promise<Omit<PurgeReport, "cacheEntries">> {
  const { lance, chunks } = session;
  const deletedFiles = folder === null ? [] : removeSetAside(folder);
  for (const name of await session.tableNames()) {
    const table = await session.find(name);
    if (table === null) continue;
    const isChunks = name === "chunks";
    const column = isChunks || name === "meta" ? "key" : "hash";
    await rewriteTable(table, {
      column,
      reindex: async () => {
        if (isChunks) await indexWords(lance, table);
      },
    });
  }
  const lines = createLineSearch(texts);
  const columns = ["path", "start_line", "end_line", "text"];
  for await (const batch of lines.isPointless ? [] : chunks.query().where("id IS NOT NULL").select(columns)) {
    for (const row of batch) lines.visit(row!.toJSON() as unknown as SearchedChunk);
  }
  return {
    stillIn: lines.found(),
    deletedFiles,
    rawSearch: "not-possible",
    detail:
      "LanceDB compresses its files; all tables were written anew and every earlier version was deleted",
  };
}
