import { awaitOwnLocks, openDatabase } from "./database.ts";
import { deleteRows } from "./delete-rows.ts";
import { loadPg } from "./pg-package.ts";
import { ownedTables } from "./schema.ts";
import { dropVectorIndex } from "./vector-index.ts";
import { listSets } from "./vector-sets.ts";

export interface RemovedAgent {
  readonly url: string;
  /** The address without its secrets. */
  readonly place: string;
  readonly agent: string;
}

/** Deletes everything that an agent has in a database. Nothing happens where there is no such agent. */
export async function removeAgent({ url, place, agent }: RemovedAgent): Promise<void> {
  const db = openDatabase(await loadPg(), { url, place, agent, maxConnections: 1 });
  try {
    const sets = await db.write(async (sql) => {
      await awaitOwnLocks(sql);
      const [schema] = await sql<{ name: string | null }>("SELECT to_regclass('longhand.agents') AS name");
      if (!schema?.name) return [];
      const [row] = await sql<{ id: number }>(
        "SELECT id FROM longhand.agents WHERE name = $1 AND id = longhand.current_agent() FOR UPDATE",
        [agent],
      );
      if (row === undefined) return [];
      const indexed = (await listSets(sql, row.id)).filter(({ is_indexed }) => is_indexed);
      for (const table of ownedTables) await sql(deleteRows(table, "agent_id = $1"), [row.id]);
      await sql("DELETE FROM longhand.agents WHERE id = $1", [row.id]);
      return indexed;
    });
    for (const set of sets) await dropVectorIndex(db, set);
  } finally {
    await db.close();
  }
}
