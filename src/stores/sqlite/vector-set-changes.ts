import type { DatabaseSync } from "node:sqlite";
import type { Slices } from "../../timing.ts";
import { type CodingName, encodeText, findCentre } from "../vectors/vector-codes.ts";
import { toBlob } from "../vectors/vector-set.ts";
import { prepareCacheReading } from "./embedding-cache.ts";
import { chunkOfRow, vectorRow, vectorsAfter } from "./stored-chunk.ts";
import { type EmbedderRow, prepareFindEmbedder } from "./vector-sets.ts";
import { advanceSets } from "./vectors-write.ts";

/** Sample size for the centre of all vectors. */
const sampleSize = 4096;
const rowsAtOnce = 400;

/** Changes to whole vector sets. The caller has begun the transaction. */
export function prepareSetChanges(db: DatabaseSync) {
  const find = prepareFindEmbedder(db);
  const cache = prepareCacheReading(db);
  const nextRows = db.prepare(
    `SELECT ${chunkOfRow} AS key, length(codes) AS size FROM vector_rows WHERE ${vectorsAfter("?1", "?2")}
     ORDER BY place LIMIT ${rowsAtOnce}`,
  );
  const all = vectorsAfter("?1", "0");
  const count = db.prepare(`SELECT count(*) AS count FROM vector_rows WHERE ${all}`);
  const spreadKeys = db.prepare(
    `SELECT ${chunkOfRow} AS key FROM vector_rows WHERE ${all} AND ${chunkOfRow} % ?2 = 0`,
  );
  const firstKeys = db.prepare(
    `SELECT ${chunkOfRow} AS key FROM vector_rows WHERE ${all} LIMIT ${sampleSize}`,
  );
  const insert = db.prepare(`INSERT INTO vector_rows (place, codes) VALUES (${vectorRow("?1", "?2")}, ?3)`);
  const deleteUpTo = db.prepare(`DELETE FROM vector_rows WHERE ${all} AND place <= ${vectorRow("?1", "?2")}`);
  const deleteSet = db.prepare("DELETE FROM embedders WHERE id = ?");
  const insertSet = db.prepare(
    `INSERT INTO embedders
       (name, provider, model, provider_key, vectors_per_text, coding, dims, done_key, used_at, centre)
     VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, ?)`,
  );
  const advance = db.prepare(advanceSets);

  /** In groups, so that other work of the process can run in between. */
  const takeRows = async (
    id: number,
    slices: Slices,
    take: (keys: { key: number; size: number }[]) => void,
  ): Promise<void> => {
    for (let last = 0; ; ) {
      const group = nextRows.all(id, last) as { key: number; size: number }[];
      if (group.length === 0) return;
      last = group.at(-1)!.key;
      take(group);
      deleteUpTo.run(id, last);
      if (slices.isOver()) await slices.next();
    }
  };

  const middleOf = (set: EmbedderRow): Float32Array => {
    const total = count.get(set.id)?.["count"] as number;
    const step = Math.max(1, Math.floor(total / sampleSize));
    const spread = spreadKeys.all(set.id, step);
    // A fixed step over keys could miss all rows, because edits leave gaps.
    const rows = spread.length * 2 >= Math.min(total, sampleSize) ? spread : firstKeys.all(set.id);
    const keys = rows.map((row) => row["key"] as number);
    return findCentre([...cache.vectorsOf(set, keys).values()], set.dims);
  };

  return {
    drop: async (set: EmbedderRow, slices: Slices): Promise<void> => {
      await takeRows(set.id, slices, () => {});
      deleteSet.run(set.id);
    },
    /**
     * Recodes all vectors from the exact ones, under a new id, so that other processes notice. A chunk whose exact
     * vector is missing gets none, and is embedded again.
     */
    recode: async (name: string, coding: CodingName, slices: Slices): Promise<void> => {
      const set = find(name);
      if (set === null || set.coding === coding) return;
      const centre = coding === "centred" ? middleOf(set) : null;
      deleteSet.run(set.id);
      const { provider, model, provider_key, vectors_per_text, dims, used_at } = set;
      const { lastInsertRowid } = insertSet.run(
        ...[name, provider, model, provider_key, vectors_per_text],
        ...[coding, dims, used_at, centre === null ? null : toBlob(centre)],
      );
      const next = Number(lastInsertRowid);
      const nothing = encodeText(coding, []);
      await takeRows(set.id, slices, (group) => {
        const vectors = cache.vectorsOf(
          set,
          group.map(({ key }) => key),
        );
        for (const { key, size } of group) {
          const vector = vectors.get(key);
          if (vector !== undefined) insert.run(next, key, encodeText(coding, [vector], centre));
          else if (size === nothing.length) insert.run(next, key, nothing);
        }
      });
      advance.run();
    },
  };
}
