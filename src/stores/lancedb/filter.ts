import { compilePaths } from "../../text/glob.ts";
import type { ChunkFilter } from "../store.ts";
import type { LanceTable } from "./lance-package.ts";
import { isOneOf, quote } from "./sql.ts";

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
