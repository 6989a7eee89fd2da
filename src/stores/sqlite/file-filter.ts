import type { DatabaseSync } from "node:sqlite";
import { compileGlob } from "../../text/glob.ts";
import type { ChunkFilter } from "../store.ts";

/** Which documents a filter lets through, said by the shorter list. */
export interface FileSelection {
  readonly ids: readonly number[];
  /** `only`: chunks of these files; `not`: chunks of all others. */
  readonly mode: "only" | "not";
}

interface FileRow {
  id: number;
  path: string;
  source: string;
  date: string | null;
  scope: string;
}

/**
 * A filter speaks of documents, so it is decided on the few rows of `files`, not on every matching chunk. Null when
 * nothing is filtered.
 */
export function prepareFileFilter(
  db: DatabaseSync,
): (filter: ChunkFilter | undefined) => FileSelection | null {
  const files = db.prepare("SELECT id, path, source, date, scope FROM files");
  return (filter) => {
    const passes = filter && predicateOf(filter);
    if (!passes) return null;
    const inside: number[] = [];
    const outside: number[] = [];
    for (const row of files.iterate() as Iterable<unknown>) {
      const file = row as FileRow;
      (passes(file) ? inside : outside).push(file.id);
    }
    return inside.length <= outside.length ? { ids: inside, mode: "only" } : { ids: outside, mode: "not" };
  };
}

function predicateOf({
  source,
  since,
  until,
  pathGlob,
  sharedOnly,
}: ChunkFilter): ((file: FileRow) => boolean) | null {
  const conditions: ((file: FileRow) => boolean)[] = [];
  if (source !== undefined) conditions.push((file) => file.source === source);
  if (since !== undefined) conditions.push((file) => file.date !== null && file.date >= since);
  if (until !== undefined) conditions.push((file) => file.date !== null && file.date <= until);
  if (sharedOnly) conditions.push((file) => file.scope === "shared");
  if (pathGlob !== undefined) {
    const matches = compileGlob(pathGlob);
    conditions.push((file) => matches(file.path));
  }
  return conditions.length === 0 ? null : (file) => conditions.every((condition) => condition(file));
}
