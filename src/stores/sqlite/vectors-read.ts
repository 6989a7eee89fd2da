import type { DatabaseSync } from "node:sqlite";
import { LonghandError } from "../../errors.ts";
import type { ChunkFilter, MissingText, VectorCandidates, VectorStatistics } from "../store.ts";
import { findVectorFault } from "../vector-codes.ts";
import { type FileSelection, prepareFileFilter } from "./file-filter.ts";
import { atMost, inSnapshot } from "./snapshot.ts";
import { prepareFindEmbedder, prepareVectorLoading } from "./vectors-load.ts";
import type { VectorMatrix } from "./vectors-matrix.ts";
import { findMedian, selectHighest } from "./vectors-rank.ts";

export type VectorReading = ReturnType<typeof prepareVectorReading>;

/** Chunks that have no row yet; the row of an embedder says up to where none can be missing. */
const missing = `FROM chunks c WHERE c.key > ?2
  AND NOT EXISTS (SELECT 1 FROM chunks_vec v WHERE v.embedder = ?1 AND v.key = c.key)`;

/** The questions about vectors. `revision` changes whenever the index does. */
export function prepareVectorReading(db: DatabaseSync, revision: () => number) {
  const find = prepareFindEmbedder(db);
  const { load, loadSome } = prepareVectorLoading(db, revision);
  const selectFiles = prepareFileFilter(db, revision);
  const keysOfFiles = db.prepare(
    `SELECT json_group_array(chunks.key) AS keys
     FROM json_each(?) JOIN chunks ON chunks.file = json_each.value`,
  );
  const missingTexts = db.prepare(`SELECT c.hash, c.text ${missing} ORDER BY c.key LIMIT ?3`);
  const missingCount = db.prepare(`SELECT count(DISTINCT c.hash) AS count ${missing}`);
  const done = db.prepare(
    `SELECT count(DISTINCT c.hash) AS texts, ifnull(sum(length(v.codes)), 0) AS size
     FROM chunks_vec v JOIN chunks c ON c.key = v.key WHERE v.embedder = ?`,
  );
  const embedders = db.prepare("SELECT name FROM embedders");
  let lastMask: { files: FileSelection; matrix: VectorMatrix; mask: Uint8Array } | null = null;

  const maskOf = (files: FileSelection, matrix: VectorMatrix): Uint8Array => {
    if (lastMask?.files === files && lastMask.matrix === matrix) return lastMask.mask;
    const mask = new Uint8Array(matrix.keys.length).fill(files.mode === "only" ? 0 : 1);
    for (const key of JSON.parse(keysOfFiles.get(files.ids)?.["keys"] as string) as number[]) {
      const place = matrix.placeOf(key);
      if (place !== -1) mask[place] = files.mode === "only" ? 1 : 0;
    }
    lastMask = { files, matrix, mask };
    return mask;
  };

  return {
    missing: (name: string, limit: number): MissingText[] =>
      inSnapshot(db, () => {
        const { id, done_key } = find(name) ?? { id: 0, done_key: 0 };
        const rows = missingTexts.all(id, done_key, atMost(limit)) as unknown as MissingText[];
        return [...new Map(rows.map(({ hash, text }) => [hash, { hash, text }])).values()];
      }),
    /** Reads vectors into memory for so long; false when there are more. Without it, the first search reads all. */
    loadSome: (name: string, sliceMs: number): boolean => inSnapshot(db, () => loadSome(name, sliceMs)),
    byVector: (
      name: string,
      query: Float32Array,
      { limit, filter }: { limit: number; filter?: ChunkFilter },
    ): VectorCandidates =>
      inSnapshot(db, () => {
        const matrix = load(name);
        if (matrix === null) return { candidates: [], median: 0 };
        const similarities = score(matrix, query);
        const files = selectFiles(filter);
        const allowed = files === null ? null : maskOf(files, matrix);
        const places = selectHighest(similarities, atMost(limit), allowed);
        return {
          candidates: places.map((place) => ({ id: matrix.keys[place]!, similarity: similarities[place]! })),
          median: findMedian(similarities),
        };
      }),
    similarities: (name: string, query: Float32Array, ids: readonly number[]): Map<number, number> =>
      inSnapshot(db, () => {
        const found = new Map<number, number>();
        const matrix = load(name);
        if (matrix === null) return found;
        const similarities = score(matrix, query);
        for (const id of ids) {
          const similarity = similarities[matrix.placeOf(id)] ?? Number.NEGATIVE_INFINITY;
          if (similarity > Number.NEGATIVE_INFINITY) found.set(id, similarity);
        }
        return found;
      }),
    embedders: (): string[] => embedders.all().map((row) => row["name"] as string),
    statistics: (name: string): VectorStatistics =>
      inSnapshot(db, () => {
        const { id, done_key, dims } = find(name) ?? { id: 0, done_key: 0, dims: 0 };
        const { texts, size } = done.get(id) as { texts: number; size: number };
        const { count } = missingCount.get(id, done_key) as { count: number };
        return { texts, missing: count, sizeBytes: size, ...(dims === 0 ? {} : { dims }) };
      }),
  };
}

function score(matrix: VectorMatrix, query: Float32Array): Float32Array {
  const fault = findVectorFault(query, matrix.dimensions);
  if (fault === null) return matrix.score(query);
  throw new LonghandError("vectors-invalid", `The vector to search with ${fault}.`, {
    hint: "Embed the question with the embedder whose vectors are searched.",
  });
}
