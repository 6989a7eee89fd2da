import { type IndexMeta, indexMetaKey } from "../index-meta.ts";
import type { Sql } from "./database.ts";

export async function readMeta(sql: Sql, agentId: number): Promise<IndexMeta | null> {
  const json = await readValue(sql, agentId, indexMetaKey);
  return json === null ? null : (JSON.parse(json) as IndexMeta);
}

export async function writeMeta(sql: Sql, agentId: number, meta: IndexMeta): Promise<void> {
  await writeValue(sql, agentId, indexMetaKey, JSON.stringify(meta));
}

/** Facts of other parts stand under names of their own, so they can never collide with the above. */
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
