import type { LanceTable } from "./lance-package.ts";
import { isOneOf, quote } from "./sql.ts";

export async function readMeta(meta: LanceTable, key: string): Promise<string | null> {
  const [row] = await meta
    .query()
    .where(`key = ${quote(key)}`)
    .limit(1)
    .toArray();
  return row?.value ?? null;
}

/** All values whose keys begin with `prefix`, by the rest of the key. */
export async function listMeta(meta: LanceTable, prefix: string): Promise<Map<string, string>> {
  const rows = await meta
    .query()
    .where(`starts_with(key, ${quote(prefix)})`)
    .toArray();
  return new Map(rows.map(({ key, value }) => [key.slice(prefix.length), value]));
}

export async function writeMeta(meta: LanceTable, facts: Readonly<Record<string, string>>): Promise<void> {
  const rows = Object.entries(facts).map(([key, value]) => ({ key, value }));
  if (rows.length === 0) return;
  await meta.mergeInsert("key").whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(rows);
}

export async function deleteMeta(meta: LanceTable, keys: readonly string[]): Promise<void> {
  if (keys.length > 0) await meta.delete(isOneOf("key", keys));
}
