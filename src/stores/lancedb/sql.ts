import { compilePaths } from "../../text/glob.ts";
import type { ChunkFilter } from "../store.ts";
import type { LanceTable } from "./lance-package.ts";

/** A string literal for LanceDB's filters. Only the quote needs escaping. */
export function quote(text: string): string {
  return `'${text.toWellFormed().replaceAll("'", "''")}'`;
}

/** `column IN (…)`; never true for an empty list. */
export function isOneOf(column: string, values: readonly (string | number)[]): string {
  if (values.length === 0) return "false";
  return `${column} IN (${values.map((value) => (typeof value === "number" ? value : quote(value))).join(",")})`;
}

/** A filter is parsed as one string, so long lists are split. */
export const maxListed = 1000;

export function inParts<T>(values: readonly T[], size = maxListed): T[][] {
  const parts: T[][] = [];
  for (let at = 0; at < values.length; at += size) parts.push(values.slice(at, at + size));
  return parts;
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
  const conditions = ["id IS NOT NULL", ...conditionsOf(filter)];
  const accepts = compilePaths(filter);
  if (accepts === null) {
    return { sql: conditions.join(" AND "), isNarrow: conditions.length > 1, accepts: () => true };
  }
  const inside: string[] = [];
  const outside: string[] = [];
  for (const { doc, path } of await chunks.query().where("id IS NULL").select(["doc", "path"]).toArray()) {
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
