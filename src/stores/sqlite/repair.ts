import type { DatabaseSync } from "node:sqlite";
import type { SourceName } from "../../text/document.ts";
import type { Slices } from "../../timing.ts";
import type { RepairOptions } from "../store.ts";
import type { Tokens } from "../tokens.ts";
import { type CodingName, vectorCodings } from "../vectors/vector-codes.ts";
import { rebuildFullText } from "./full-text.ts";
import { DamagedContent, isFullTextDamage } from "./sqlite-failure.ts";
import { chunkOfRow, embedderOfRow, vectorRow, vectorsAfter } from "./stored-chunk.ts";
import { dropVectors } from "./vectors-write.ts";
import type { Writing } from "./write.ts";

export interface RepairParts {
  readonly db: DatabaseSync;
  readonly writing: Writing;
  /** Null if SQLite was built without FTS5. */
  readonly tokens: Tokens | null;
  readonly slices: Slices;
}

/**
 * In the caller's transaction: reads the whole file, repairs what it can, and reports what was done. A file beyond
 * repair is an error, and is quarantined. Incomplete documents are removed; the next sync adds them again.
 */
export async function repairIndex(
  { db, writing, tokens, slices }: RepairParts,
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
  // Damage may have changed rows without a new state, by which all processes cache them.
  writing.renewDocumentState();
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

/** FTS5 checks its own tables; whether its rows match the chunks is ours to check. */
function isFullTextSound(db: DatabaseSync): boolean {
  try {
    db.exec("INSERT INTO chunks_fts (chunks_fts) VALUES ('integrity-check')");
  } catch (error) {
    if (isFullTextDamage(error)) return false;
    throw error;
  }
  const { differ } = db
    .prepare(
      `SELECT EXISTS (SELECT key FROM chunk_rows EXCEPT SELECT id FROM chunks_fts_docsize)
         OR EXISTS (SELECT id FROM chunks_fts_docsize EXCEPT SELECT key FROM chunk_rows) AS differ`,
    )
    .get() as { differ: number };
  return differ === 0;
}

/** Their tokens and vectors then belong to no chunk, which is checked afterwards. */
function deleteOrphans(db: DatabaseSync): number {
  return Number(db.prepare("DELETE FROM chunk_rows WHERE file NOT IN (SELECT id FROM files)").run().changes);
}

/** Documents with missing or surplus chunks. */
function findIncomplete(db: DatabaseSync): { source: SourceName; path: string }[] {
  return db
    .prepare(
      `SELECT source, path FROM files f WHERE chunk_count IS NOT
         (SELECT CASE WHEN count(*) = 0 THEN 0 WHEN min(position) = 0 AND max(position) = count(*) - 1 THEN count(*) END
          FROM chunk_rows WHERE file = f.id)`,
    )
    .all() as { source: SourceName; path: string }[];
}

interface SetRow {
  readonly id: number;
  readonly coding: CodingName;
  readonly dims: number;
  readonly done_key: number;
}

/**
 * In the caller's transaction: deletes codes without a chunk or an embedder, and drops a set that contains a code of
 * the wrong length. Recomputes which sets are complete. Reports what was done.
 */
function repairVectors(db: DatabaseSync): string[] {
  const done: string[] = [];
  const strays = db
    .prepare(
      `DELETE FROM vector_rows WHERE ${chunkOfRow} NOT IN (SELECT key FROM chunk_rows)
         OR ${embedderOfRow} NOT IN (SELECT id FROM embedders)`,
    )
    .run().changes;
  if (strays > 0) done.push(`deleted ${strays} vectors that belong to no chunk`);
  for (const set of db
    .prepare("SELECT id, coding, dims, done_key FROM embedders")
    .all() as unknown as SetRow[]) {
    if (areVectorsSound(db, set)) continue;
    db.prepare(`DELETE FROM vector_rows WHERE ${vectorsAfter("?1", "0")}`).run(set.id);
    db.prepare("DELETE FROM embedders WHERE id = ?").run(set.id);
    done.push("dropped damaged vectors, to make them again");
  }
  return done;
}

/** Codes begin with the number of vectors, and every chunk up to `done_key` has some. */
function areVectorsSound(db: DatabaseSync, { id, coding, dims, done_key }: SetRow): boolean {
  if (!Object.hasOwn(vectorCodings, coding) || !Number.isInteger(dims) || dims < 0) return false;
  const width = vectorCodings[coding].widthOf(dims);
  const all = db.prepare(`SELECT codes FROM vector_rows WHERE ${vectorsAfter("?1", "0")}`);
  for (const { codes } of all.iterate(id)) {
    if (!(codes instanceof Uint8Array) || codes.length < 4) return false;
    const count = new DataView(codes.buffer, codes.byteOffset).getUint32(0, true);
    if (codes.length !== 4 + count * width) return false;
  }
  const holes = db.prepare(
    `SELECT ?2 > ifnull((SELECT seq FROM sqlite_sequence WHERE name = 'chunk_rows'), 0) OR EXISTS (
       SELECT 1 FROM chunk_rows c WHERE c.key <= ?2
         AND NOT EXISTS (SELECT 1 FROM vector_rows v WHERE v.place = ${vectorRow("?1", "c.key")})) AS some`,
  );
  return holes.get(id, done_key)?.["some"] === 0;
}
