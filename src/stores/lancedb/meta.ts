import type { LanceTable } from "./lance-package.ts";
import { findRows, quote } from "./sql.ts";

export async function readMeta(meta: LanceTable, key: string): Promise<string | null> {
  const [row] = await findRows(meta, `key = ${quote(key)}`, ["value"]);
  return row?.value ?? null;
}

/** All values whose keys begin with `prefix`, by the rest of the key. */
export async function listMeta(meta: LanceTable, prefix: string): Promise<Map<string, string>> {
  const rows = await findRows(meta, `starts_with(key, ${quote(prefix)})`, ["key", "value"]);
  return new Map(rows.map(({ key, value }) => [key.slice(prefix.length), value]));
}

export async function writeMeta(meta: LanceTable, facts: Readonly<Record<string, string>>): Promise<void> {
  const rows = Object.entries(facts).map(([key, value]) => ({ key, value }));
  if (rows.length === 0) return;
  await meta.mergeInsert("key").whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(rows);
}
