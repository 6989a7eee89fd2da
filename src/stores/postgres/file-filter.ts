import { compilePaths } from "../../text/glob.ts";
import type { ChunkFilter } from "../store.ts";
import type { Sql } from "./database.ts";

/** Conditions on a row `f` of `files`, with parameters from `$first` on. */
export function filterFiles(
  { source, since, until, sharedOnly }: ChunkFilter,
  first: number,
): { readonly conditions: string; readonly values: readonly string[] } {
  const conditions: string[] = [];
  const values: string[] = [];
  const add = (column: string, operator: string, value: string | undefined): void => {
    if (value === undefined) return;
    conditions.push(` AND ${column} ${operator} $${first + values.length}`);
    values.push(value);
  };
  add("f.source", "=", source);
  add("f.date", ">=", since);
  add("f.date", "<=", until);
  if (sharedOnly) add("f.scope", "=", "shared");
  return { conditions: conditions.join(""), values };
}

const fewest = 256;
const maxGroup = 8192;

/**
 * The first of these chunks, in order, that match a filter. Queried in growing groups: most filters match most chunks,
 * and then one group is enough.
 */
export async function keepMatching(
  sql: Sql,
  agentId: number,
  keys: readonly number[],
  { limit, filter }: { limit: number; filter: ChunkFilter },
): Promise<number[]> {
  const matches = compilePaths(filter) ?? (() => true);
  const { conditions, values } = filterFiles(filter, 3);
  const passed: number[] = [];
  let size = Math.max(fewest, 2 * limit);
  for (
    let at = 0;
    at < keys.length && passed.length < limit;
    at += size, size = Math.min(2 * size, maxGroup)
  ) {
    const group = keys.slice(at, at + size);
    const rows = await sql<{ key: number; path: string }>(
      `SELECT c.key::float8 AS key, f.path FROM longhand.chunks c JOIN longhand.files f ON f.agent_id = c.agent_id AND f.id = c.file_id
       WHERE c.agent_id = $1 AND c.key = ANY($2::int8[])${conditions}`,
      [agentId, group, ...values],
    );
    const inside = new Set(rows.filter(({ path }) => matches(path)).map(({ key }) => key));
    passed.push(...group.filter((key) => inside.has(key)));
  }
  return passed.slice(0, limit);
}
