import type { DatabaseSync } from "node:sqlite";
import { compilePaths } from "../../text/glob.ts";
import { once } from "../../text/once.ts";
import { isFiltering } from "../candidates.ts";
import type { ChunkFilter } from "../store.ts";

/** The documents that match a filter, given by the shorter list of `files.id`. */
export interface FileSelection {
  /** `only`: chunks of the listed files; `not`: chunks of all others. */
  readonly mode: "only" | "not";
  readonly ids: readonly number[];
  /** The keys of their chunks. Read on first use, in the snapshot in which the selection was requested. */
  keys(): ReadonlySet<number>;
}

/** Null if nothing is filtered. */
export type SelectFiles = (filter: ChunkFilter | undefined) => FileSelection | null;

/** 1 or 0 for a row of `files`: an undated document never matches a date filter. */
const passes = `((?1 IS NULL OR source = ?1)
  AND (?2 IS NULL OR ifnull(date >= ?2, 0))
  AND (?3 IS NULL OR ifnull(date <= ?3, 0))
  AND (?4 = 0 OR scope = 'shared'))`;

const maxRemembered = 16;

/**
 * A filter is about documents, so it is evaluated on the rows of `files`, once per state of the index, and not on every
 * matching chunk.
 */
export function prepareFileFilter(db: DatabaseSync, revision: () => number): SelectFiles {
  // Most searches filter nothing.
  const statements = once(() => {
    const count = db.prepare(
      `SELECT count(*) AS total, count(*) FILTER (WHERE ${passes}) AS inside FROM files`,
    );
    const inside = db.prepare(`SELECT id FROM files WHERE ${passes}`);
    const outside = db.prepare(`SELECT id FROM files WHERE NOT ${passes}`);
    const named = db.prepare(`SELECT id, path FROM files WHERE ${passes}`);
    const everyId = db.prepare("SELECT id FROM files");
    const keys = db.prepare(
      "SELECT json_group_array(c.key) FROM json_each(?) JOIN chunk_rows c ON c.file = json_each.value",
    );
    for (const statement of [inside, outside, named, everyId, keys]) statement.setReturnArrays(true);
    return { count, inside, outside, named, everyId, keys };
  });
  const remembered = { revision: Number.NaN, selections: new Map<string, FileSelection>() };

  const toSelection = (mode: FileSelection["mode"], rows: readonly unknown[]): FileSelection => {
    const ids = (rows as [number][]).map(([id]) => id);
    const keys = once(() => {
      const [json] = statements().keys.get(JSON.stringify(ids)) as unknown as [string];
      return new Set(JSON.parse(json) as number[]);
    });
    return { mode, ids, keys };
  };

  const select = ({ source, since, until, sharedOnly, ...byPath }: ChunkFilter): FileSelection => {
    const { count, inside, outside, named, everyId } = statements();
    const values = [source ?? null, since ?? null, until ?? null, sharedOnly ? 1 : 0] as const;
    const row = count.get(...values) as { total: number; inside: number };
    const matches = compilePaths(byPath);
    if (matches === null) {
      const mode = row.inside * 2 <= row.total ? "only" : "not";
      return toSelection(mode, (mode === "only" ? inside : outside).all(...values));
    }
    const rows = named.all(...values) as unknown as [number, string][];
    const found = rows.filter(([, path]) => matches(path));
    if (found.length * 2 <= row.total) return toSelection("only", found);
    const ids = new Set(found.map(([id]) => id));
    const others = (everyId.all() as unknown as [number][]).filter(([id]) => !ids.has(id));
    return toSelection("not", others);
  };

  return (filter) => {
    if (!isFiltering(filter)) return null;
    const now = revision();
    const { selections } = remembered;
    if (now !== remembered.revision) selections.clear();
    remembered.revision = now;
    const key = JSON.stringify(filter);
    const known = selections.get(key);
    if (known !== undefined) return known;
    if (selections.size === maxRemembered) selections.clear();
    const selection = select(filter);
    selections.set(key, selection);
    return selection;
  };
}
