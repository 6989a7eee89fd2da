import type { DatabaseSync } from "node:sqlite";
import type { Slices } from "../../timing.ts";
import type { EmbedderIdentity, VectorEntry } from "../store-vectors.ts";
import {
  type CodingName,
  encodeText,
  findCentre,
  refuseFaultyVectors,
  toUnit,
} from "../vectors/vector-codes.ts";
import { providerKeyOf, toBlob } from "../vectors/vector-set.ts";
import { prepareCacheReading, prepareCacheWriting } from "./embedding-cache.ts";
import { chunkOfRow, embedderOfRow, hasHash, vectorRow, vectorsAfter } from "./stored-chunk.ts";
import { type EmbedderRow, prepareFindEmbedder } from "./vector-sets.ts";

/** How many deleted keys are kept for other processes. */
const rememberedGone = 4096;

const chunksOfText = hasHash("", "?2");

/** Moves `done_key` of every set up to where none can be missing. */
const advanceSets = `UPDATE embedders SET done_key = ifnull(
  (SELECT c.key - 1 FROM chunk_rows c WHERE c.key > done_key
     AND NOT EXISTS (SELECT 1 FROM vector_rows v WHERE v.place = ${vectorRow("embedders.id", "c.key")})
   ORDER BY c.key LIMIT 1),
  max(done_key, ifnull((SELECT max(key) FROM chunk_rows), 0)))`;

/** Changes to vectors. The caller has begun the transaction. */
export function prepareVectorWriting(db: DatabaseSync, now: () => number) {
  const find = prepareFindEmbedder(db);
  const cache = prepareCacheWriting(db);
  const anySet = db.prepare("SELECT 1 FROM embedders");
  const insertSet = db.prepare(
    `INSERT INTO embedders
       (name, provider, model, provider_key, vectors_per_text, coding, dims, done_key, used_at)
     VALUES (?, ?, ?, ?, ?, ?, 0, 0, 0)`,
  );
  const setDims = db.prepare("UPDATE embedders SET dims = ? WHERE id = ?");
  const setUsed = db.prepare("UPDATE embedders SET used_at = ? WHERE name = ?");
  const keysOf = db.prepare(`SELECT key FROM chunk_rows WHERE ${hasHash("", "?1")}`);
  const insert = db.prepare(
    `INSERT OR IGNORE INTO vector_rows (place, codes) VALUES (${vectorRow("?1", "?2")}, ?3)`,
  );
  // Never a plain join: SQLite would scan all vectors and look up the embedder of each.
  const ofChunk = (key: string): string => `place IN (SELECT ${vectorRow("id", key)} FROM embedders)`;
  const rowsOf = db.prepare(
    `SELECT ${embedderOfRow} AS embedder, codes FROM vector_rows WHERE ${ofChunk("?1")}`,
  );
  const findTwin = db.prepare(`SELECT key FROM chunk_rows WHERE ${chunksOfText} AND key <> ?1 LIMIT 1`);
  const copyFrom = db.prepare(
    `INSERT OR IGNORE INTO vector_rows (place, codes) SELECT ${vectorRow(embedderOfRow, "?1")}, codes FROM vector_rows
     WHERE ${ofChunk("?2")}`,
  );
  /** Most texts have no twin. Checking first made a first index with vectors a fifth cheaper. */
  const copyFromTwin = (key: number, hash: string): boolean => {
    const twin = findTwin.get(key, hash) as { key: number } | undefined;
    return twin !== undefined && copyFrom.run(key, twin.key).changes > 0;
  };
  const remove = db.prepare(`DELETE FROM vector_rows WHERE ${ofChunk("?1")}`);
  const recordGone = db.prepare("INSERT INTO chunks_gone (key) VALUES (?)");
  const trimGone = db.prepare("DELETE FROM chunks_gone WHERE seq <= ?");
  const advance = db.prepare(advanceSets);

  const ensure = (embedder: EmbedderIdentity, vectorsPerText: "one" | "several"): EmbedderRow => {
    const { id, provider, model } = embedder;
    const coding = vectorsPerText === "several" ? "bits" : "bytes";
    if (find(id) === null)
      insertSet.run(id, provider, model, providerKeyOf(embedder), vectorsPerText, coding);
    return find(id)!;
  };

  const removeChunk = (key: number): void => {
    if (remove.run(key).changes === 0) return;
    const { lastInsertRowid } = recordGone.run(key);
    trimGone.run(Number(lastInsertRowid) - rememberedGone);
  };

  /** The vectors to code: for embedders with one vector per text, the cached one. */
  const keep = (set: EmbedderRow, { hash, vectors }: VectorEntry, dims: number): readonly Float32Array[] => {
    if (set.vectors_per_text === "several") return vectors;
    const unit = vectors[0] === undefined ? null : toUnit(vectors[0]);
    const kept = cache.keep(set, hash, unit, { dims, at: now() });
    return kept === null ? [] : [kept];
  };

  return {
    put: async (
      embedder: EmbedderIdentity,
      entries: readonly VectorEntry[],
      vectorsPerText: "one" | "several",
      slices: Slices,
    ): Promise<void> => {
      const set = ensure(embedder, vectorsPerText);
      let { dims } = set;
      for (const entry of entries) {
        const { hash, vectors } = entry;
        if (dims === 0 && vectors[0] !== undefined) {
          dims = vectors[0].length;
          setDims.run(dims, set.id);
        }
        refuseFaultyVectors(vectors, {
          dims,
          embedderId: embedder.id,
          vectorsPerText: set.vectors_per_text,
        });
        // Read from the cache or made by a service meanwhile: a forgotten text must not reappear here.
        const keys = keysOf.all(hash) as { key: number }[];
        if (keys.length === 0) continue;
        const codes = encodeText(set.coding, keep(set, entry, dims), set.centre);
        for (const { key } of keys) insert.run(set.id, key, codes);
        if (slices.isOver()) await slices.next();
      }
      setUsed.run(now(), embedder.id);
      advance.run();
    },
    markUsed: (embedderId: string): void => {
      setUsed.run(now(), embedderId);
    },
    evict: cache.evict,
    removeChunk,
    /** One change of many chunks, in which texts may move between chunks with their vectors. */
    startChange: () => {
      const isUsed = anySet.get() !== undefined;
      const carried = new Map<string, { embedder: number; codes: Uint8Array }[]>();
      let inheritedCount = 0;
      return {
        /** Called before deleting a chunk whose text comes back in the same change. */
        carry: (key: number, hash: string): void => {
          if (isUsed) carried.set(hash, rowsOf.all(key) as { embedder: number; codes: Uint8Array }[]);
        },
        inherit: (key: number, hash: string): void => {
          if (!isUsed) return;
          const rows = carried.get(hash);
          for (const { embedder, codes } of rows ?? []) insert.run(embedder, key, codes);
          if (rows !== undefined || copyFromTwin(key, hash)) inheritedCount++;
        },
        finish: (): void => {
          if (inheritedCount > 0) advance.run();
        },
      };
    },
  };
}

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

/**
 * In the caller's transaction: deletes every vector set, so that all are made again, from the cache where possible.
 * Embedder ids are never reused, so processes that hold vectors in memory notice.
 */
export function dropVectors(db: DatabaseSync): void {
  db.exec("DELETE FROM vector_rows; DELETE FROM embedders");
}
