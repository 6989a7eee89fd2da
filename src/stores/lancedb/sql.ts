import { compilePaths } from "../../text/glob.ts";
import type { ChunkFilter } from "../store.ts";
import type { ArrowTable, LanceTable } from "./lance-package.ts";
import type { TableRow } from "./schema.ts";

/** A string literal for LanceDB's filters. Only the quote needs escaping. */
export function quote(text: string): string {
  return `'${text.toWellFormed().replaceAll("'", "''")}'`;
}

/** `column IN (…)`; never true for an empty list. */
export function isOneOf(column: string, values: readonly (string | number)[]): string {
  if (values.length === 0) return "false";
  return `${column} IN (${values.map((value) => (typeof value === "number" ? value : quote(value))).join(",")})`;
}

/** Matches the rows of chunks, as opposed to those of documents. */
export const isChunk = "id IS NOT NULL";
export const isDocument = "id IS NULL";

/** A filter is parsed as one string, so long lists are split. */
export const maxListed = 1000;

export function inParts<T>(values: readonly T[], size = maxListed): T[][] {
  const parts: T[][] = [];
  for (let at = 0; at < values.length; at += size) parts.push(values.slice(at, at + size));
  return parts;
}

interface Selection {
  select(columns: string[]): { toArrow(): Promise<ArrowTable> };
}

/** Column by column, because an Arrow row looks up its columns on every access. */
export async function readRows<Column extends keyof TableRow>(
  query: Selection,
  columns: readonly Column[],
): Promise<Pick<TableRow, Column>[]> {
  const table = await query.select([...columns]).toArrow();
  const found = columns.map((name) => [name, table.getChild(name)!] as const);
  return Array.from({ length: table.numRows }, (_, at) => {
    const row: Partial<Record<Column, unknown>> = {};
    for (const [name, values] of found) row[name] = values.get(at);
    return row as Pick<TableRow, Column>;
  });
}

/** The rows that match a condition; all without one. */
export async function findRows<Column extends keyof TableRow>(
  table: LanceTable,
  condition: string | null,
  columns: readonly Column[],
): Promise<Pick<TableRow, Column>[]> {
  const query = table.query();
  return await readRows(condition === null ? query : query.where(condition), columns);
}

/** The rows with one of these values in a column, of those that match a condition. */
export async function findRowsWith<Column extends keyof TableRow>(
  table: LanceTable,
  [column, values]: readonly [keyof TableRow, readonly (string | number)[]],
  columns: readonly Column[],
  condition = "",
): Promise<Pick<TableRow, Column>[]> {
  const rows: Pick<TableRow, Column>[] = [];
  const also = condition && ` AND ${condition}`;
  for (const part of inParts(values)) {
    for (const row of await findRows(table, isOneOf(column, part) + also, columns)) rows.push(row);
  }
  return rows;
}

export async function deleteRowsWith(
  table: LanceTable,
  column: keyof TableRow,
  values: readonly string[],
): Promise<void> {
  for (const part of inParts(values)) await table.delete(isOneOf(column, part));
}

/** A small value by its key. */
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

/** A search filter as an SQL condition. */
export interface ChunkCondition {
  /** Matches chunks only, not rows of documents. */
  readonly sql: string;
  /** False if every chunk matches. */
  readonly isNarrow: boolean;
  /**
   * Whether a path matches; to be checked on results, because a document may have been added after the paths were read.
   */
  readonly accepts: (path: string) => boolean;
}

export async function prepareFilter(chunks: LanceTable, filter: ChunkFilter = {}): Promise<ChunkCondition> {
  const conditions = [isChunk, ...conditionsOf(filter)];
  const accepts = compilePaths(filter);
  if (accepts === null) {
    return { sql: conditions.join(" AND "), isNarrow: conditions.length > 1, accepts: () => true };
  }
  const inside: string[] = [];
  const outside: string[] = [];
  for (const { doc, path } of await findRows(chunks, isDocument, ["doc", "path"])) {
    (accepts(path) ? inside : outside).push(doc);
  }
  const byPath =
    inside.length <= outside.length ? isOneOf("doc", inside) : `NOT (${isOneOf("doc", outside)})`;
  return { sql: [...conditions, `(${byPath})`].join(" AND "), isNarrow: true, accepts };
}

function conditionsOf({ source, since, until, sharedOnly }: ChunkFilter): string[] {
  return [
    ...(source === undefined ? [] : [`source = ${quote(source)}`]),
    ...(since === undefined ? [] : [`date >= ${quote(since)}`]),
    ...(until === undefined ? [] : [`date <= ${quote(until)}`]),
    ...(sharedOnly ? ["scope = 'shared'"] : []),
  ];
}
