import type { DatabaseSync } from "node:sqlite";
import { LonghandError } from "../../errors.ts";
import type { VectorEntry } from "../store.ts";
import { type CodingName, encodeText, findVectorFault } from "../vector-codes.ts";
import type { Slices } from "./slices.ts";
import { type EmbedderRow, prepareFindEmbedder } from "./vectors-load.ts";

/** How many deleted keys are remembered for other processes. */
const rememberedGone = 4096;

const chunksOfText = "substr(hash, 1, 16) = substr(?2, 1, 16) AND hash = ?2";

/** Changes to vectors. The caller has begun the transaction. */
export function prepareVectorWriting(db: DatabaseSync) {
  const find = prepareFindEmbedder(db);
  const names = db.prepare("SELECT id, name FROM embedders");
  const insertEmbedder = db.prepare(
    "INSERT INTO embedders (name, coding, dims, done_key) VALUES (?, ?, 0, 0)",
  );
  const setDims = db.prepare("UPDATE embedders SET dims = ? WHERE id = ?");
  const insertForText = db.prepare(
    `INSERT OR IGNORE INTO chunks_vec (embedder, key, codes) SELECT ?1, key, ?3 FROM chunks WHERE ${chunksOfText}`,
  );
  const insert = db.prepare("INSERT OR IGNORE INTO chunks_vec (embedder, key, codes) VALUES (?, ?, ?)");
  // Never a plain join: SQLite would walk through all vectors and look up the embedder of each.
  const ofChunk = "embedder IN (SELECT id FROM embedders) AND key =";
  const rowsOf = db.prepare(`SELECT embedder, codes FROM chunks_vec WHERE ${ofChunk} ?`);
  const copyFromTwin = db.prepare(
    `INSERT OR IGNORE INTO chunks_vec (embedder, key, codes) SELECT embedder, ?1, codes FROM chunks_vec
     WHERE ${ofChunk} (SELECT key FROM chunks WHERE ${chunksOfText} AND key <> ?1 LIMIT 1)`,
  );
  const remove = db.prepare(`DELETE FROM chunks_vec WHERE ${ofChunk} ?`);
  const recordGone = db.prepare("INSERT INTO chunks_gone (key) VALUES (?)");
  const trimGone = db.prepare("DELETE FROM chunks_gone WHERE seq <= ?");
  const advance = db.prepare(
    `UPDATE embedders SET done_key = ifnull(
       (SELECT c.key - 1 FROM chunks c WHERE c.key > done_key
          AND NOT EXISTS (SELECT 1 FROM chunks_vec v WHERE v.embedder = embedders.id AND v.key = c.key)
        ORDER BY c.key LIMIT 1),
       max(done_key, ifnull((SELECT max(key) FROM chunks), 0)))`,
  );
  const deleteVectors = db.prepare("DELETE FROM chunks_vec WHERE embedder = ?");
  const deleteEmbedder = db.prepare("DELETE FROM embedders WHERE id = ?");

  const ensure = (name: string, coding: CodingName): EmbedderRow => {
    const found = find(name);
    if (found !== null) return found;
    const { lastInsertRowid } = insertEmbedder.run(name, coding);
    return { id: Number(lastInsertRowid), coding, dims: 0, done_key: 0 };
  };

  const removeChunk = (key: number): void => {
    if (remove.run(key).changes === 0) return;
    const { lastInsertRowid } = recordGone.run(key);
    trimGone.run(Number(lastInsertRowid) - rememberedGone);
  };

  return {
    put: async (
      name: string,
      entries: readonly VectorEntry[],
      vectorsPerText: "one" | "several",
      slices: Slices,
    ): Promise<void> => {
      const embedder = ensure(name, vectorsPerText === "several" ? "bits" : "bytes");
      let { dims } = embedder;
      for (const { hash, vectors } of entries) {
        if (dims === 0 && vectors[0] !== undefined) {
          dims = vectors[0].length;
          setDims.run(dims, embedder.id);
        }
        for (const vector of vectors) refuseFaulty(vector, dims, name);
        insertForText.run(embedder.id, hash, encodeText(embedder.coding, vectors));
        if (slices.isOver()) await slices.next();
      }
      advance.run();
    },
    keep: (kept: readonly string[]): void => {
      for (const { id, name } of names.all() as { id: number; name: string }[]) {
        if (kept.includes(name)) continue;
        deleteVectors.run(id);
        deleteEmbedder.run(id);
      }
    },
    removeChunk,
    /** One change of many chunks, in which texts may go from one to another with their vectors. */
    startChange: () => {
      const isUsed = names.get() !== undefined;
      const carried = new Map<string, { embedder: number; codes: Uint8Array }[]>();
      let inheritedCount = 0;
      return {
        /** Before a chunk is deleted whose text comes back in the same change. */
        carry: (key: number, hash: string): void => {
          if (isUsed) carried.set(hash, rowsOf.all(key) as { embedder: number; codes: Uint8Array }[]);
        },
        inherit: (key: number, hash: string): void => {
          if (!isUsed) return;
          const rows = carried.get(hash);
          for (const { embedder, codes } of rows ?? []) insert.run(embedder, key, codes);
          if (rows !== undefined || copyFromTwin.run(key, hash).changes > 0) inheritedCount++;
        },
        finish: (): void => {
          if (inheritedCount > 0) advance.run();
        },
      };
    },
  };
}

function refuseFaulty(vector: Float32Array, dims: number, name: string): void {
  const fault = dims === 0 ? "has no numbers" : findVectorFault(vector, dims);
  if (fault === null) return;
  throw new LonghandError("vectors-invalid", `Could not keep vectors of ${name}: one of them ${fault}.`, {
    hint: "Check that the configured model is an embedding model and that its dimensions fit; then sync again.",
  });
}
