import type { DatabaseSync } from "node:sqlite";
import type { SourceName } from "../../text/document.ts";
import type { Slices } from "../../timing.ts";
import type { RepairOptions } from "../store.ts";
import type { Tokens } from "../tokens.ts";
import { rebuildFullText } from "./full-text.ts";
import { DamagedContent, isFullTextDamage } from "./sqlite-failure.ts";
import { dropVectors, repairVectors } from "./vectors-write.ts";
import type { Writing } from "./write.ts";

export interface MendParts {
  readonly db: DatabaseSync;
  readonly writing: Writing;
  /** Null where SQLite was built without FTS5. */
  readonly tokens: Tokens | null;
  readonly slices: Slices;
}

/**
 * Inside a transaction of the caller: reads the whole file, repairs what the rest of it allows, and says what was
 * done. A file beyond repair is an error, and is quarantined. Documents that are not complete
 * are removed; the next sync adds them.
 */
export async function repairIndex(
  { db, writing, tokens, slices }: MendParts,
  { words, vectors }: RepairOptions,
): Promise<string[]> {
  const done: string[] = [];
  const orphans = deleteOrphans(db);
  if (orphans > 0) done.push(`deleted ${orphans} chunks that belong to no document`);
  const incomplete = findIncomplete(db);
  for (const [source, paths] of Map.groupBy(incomplete, (each) => each.source)) {
    await writing.remove(
      source,
      paths.map(({ path }) => path),
      { slices },
    );
  }
  if (incomplete.length > 0)
    done.push(`removed ${incomplete.length} incomplete documents, to index them again`);
  if (tokens !== null && (words === "rebuild" || !isFullTextSound(db))) {
    await rebuildFullText(db, tokens, slices);
    done.push("built the full-text index again");
  }
  if (vectors === "drop") {
    dropVectors(db);
    done.push("dropped all vectors, to make them again");
  } else {
    done.push(...repairVectors(db));
  }
  refuseUnsound(db);
  return done;
}

function refuseUnsound(db: DatabaseSync): void {
  const first = db.prepare("PRAGMA integrity_check(1)").get()?.["integrity_check"];
  if (first !== "ok") throw new DamagedContent(`the file is not sound: ${first}`);
}

/** FTS5 looks into its own tables; that its rows are the chunks is for us to see. */
function isFullTextSound(db: DatabaseSync): boolean {
  try {
    db.exec("INSERT INTO chunks_fts (chunks_fts) VALUES ('integrity-check')");
  } catch (error) {
    if (isFullTextDamage(error)) return false;
    throw error;
  }
  const { differ } = db
    .prepare(
      `SELECT EXISTS (SELECT key FROM chunks EXCEPT SELECT id FROM chunks_fts_docsize)
         OR EXISTS (SELECT id FROM chunks_fts_docsize EXCEPT SELECT key FROM chunks) AS differ`,
    )
    .get() as { differ: number };
  return differ === 0;
}

/** Their words and vectors are then those of no chunk, which is looked for afterwards. */
function deleteOrphans(db: DatabaseSync): number {
  return Number(db.prepare("DELETE FROM chunks WHERE file NOT IN (SELECT id FROM files)").run().changes);
}

/** Documents whose chunks are not as many as they should be, or not in a row. */
function findIncomplete(db: DatabaseSync): { source: SourceName; path: string }[] {
  return db
    .prepare(
      `SELECT source, path FROM files f WHERE chunk_count IS NOT
         (SELECT CASE WHEN count(*) = 0 THEN 0 WHEN min(position) = 0 AND max(position) = count(*) - 1 THEN count(*) END
          FROM chunks WHERE file = f.id)`,
    )
    .all() as { source: SourceName; path: string }[];
}
