import { compilePaths } from "../../text/glob.ts";
import type { ChunkFilter } from "../store.ts";
import type { LanceTable } from "./lance-package.ts";

/** A text as LanceDB's filters take it. Only the quote is special inside of one. */
export function quote(text: string): string {
  return `'${text.toWellFormed().replaceAll("'", "''")}'`;
}

/** `column IN (…)`; never true for an empty list. */
export function isOneOf(column: string, values: readonly (string | number)[]): string {
  if (values.length === 0) return "false";
  return `${column} IN (${values.map((value) => (typeof value === "number" ? value : quote(value))).join(",")})`;
}

/** A filter is parsed as one text, so a long list is asked for in parts. */
export const maxListed = 1000;

export function inParts<T>(values: readonly T[], size = maxListed): T[][] {
  const parts: T[][] = [];
  for (let at = 0; at < values.length; at += size) parts.push(values.slice(at, at + size));
  return parts;
}

/** What a filter asks for. */
export interface ChunkCondition {
  /** Holds for chunks only, not for rows of documents. */
  readonly sql: string;
  /** False when every chunk passes. */
  readonly isNarrow: boolean;
  /** Whether a path passes; to be asked of what was found, because a document may have come after the paths were read. */
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
