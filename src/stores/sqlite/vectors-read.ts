import type { DatabaseSync } from "node:sqlite";
import { once } from "../../text/once.ts";
import { atMost } from "../candidates.ts";
import type { ChunkFilter } from "../store.ts";
import type {
  EmbedderUsage,
  MissingText,
  NarrowTexts,
  VectorCandidates,
  VectorSet,
} from "../store-vectors.ts";
import { cosineOfUnits, refuseFaultyQuery, toUnit } from "../vectors/vector-codes.ts";
import { findMedian, selectHighest } from "../vectors/vector-rank.ts";
import { estimateTokens, noUsage } from "../vectors/vector-set.ts";
import { prepareCacheReading } from "./embedding-cache.ts";
import type { FileSelection, SelectFiles } from "./file-filter.ts";
import {
  chunkOfRow,
  hasHash,
  shownHash,
  vectorRow,
  vectorsAfter,
  wholeText,
  withPredecessor,
} from "./stored-chunk.ts";
import { inSnapshot } from "./transaction.ts";
import { type EmbedderRow, prepareFindEmbedder, prepareListEmbedders } from "./vector-sets.ts";
import { prepareVectorLoading } from "./vectors-load.ts";

export type VectorReading = ReturnType<typeof prepareVectorReading>;

/** Similarities of chunks to one query, from any method. */
export interface ScoredChunks {
  /** Ascending. */
  readonly keys: readonly number[];
  /** For each position the similarity, −Infinity if there is none. */
  readonly similarities: Float32Array;
  /** −1 for an unknown key. */
  indexOf(key: number): number;
}

/** Chunks that have no row yet; the embedder's `done_key` says up to where none can be missing. */
const lacksVectors = `NOT EXISTS (SELECT 1 FROM vector_rows v WHERE v.place = ${vectorRow("?1", "c.key")})`;
const missing = `FROM chunk_rows c WHERE c.key > ?2 AND ${lacksVectors}`;
const hash = `${shownHash("c.hash")} AS hash`;
const withText = `chunk_rows c ${withPredecessor}`;

/**
 * How many candidates are compared exactly for each requested result. With these, 99 of the best 100 are found among
 * 100,000 (`bench/parts/vectors.ts`); the fewer dimensions, the less the signs say.
 */
function countCompared({ coding, dims }: EmbedderRow): number {
  if (coding === "bytes") return 4;
  return coding === "centred" ? (dims < 512 ? 32 : 16) : 1;
}

/** `revision` changes whenever the index does. */
export function prepareVectorReading(
  db: DatabaseSync,
  { revision, selectFiles }: { readonly revision: () => number; readonly selectFiles: SelectFiles },
) {
  // A search needs few of these, and each takes a moment to prepare.
  const find = prepareFindEmbedder(db);
  const list = prepareListEmbedders(db);
  const cache = once(() => prepareCacheReading(db));
  const { load, loadSome } = prepareVectorLoading(db, revision);
  const missingTexts = once(() =>
    db.prepare(
      `SELECT ${hash}, ${wholeText} AS text FROM ${withText} WHERE c.key > ?2 AND ${lacksVectors}
       ORDER BY c.key LIMIT ?3`,
    ),
  );
  const missingHashes = once(() => db.prepare(`SELECT c.key, ${hash} ${missing} ORDER BY c.key`));
  const textOfKey = once(() => db.prepare("SELECT hash, text FROM chunks WHERE key = ?"));
  const missingOfHash = once(() =>
    db.prepare(
      `SELECT ${hash}, ${wholeText} AS text FROM ${withText}
       WHERE ${hasHash("c.", "?2")} AND ${lacksVectors} LIMIT 1`,
    ),
  );
  const missingCount = once(() =>
    db.prepare(
      `SELECT count(*) AS count, ifnull(sum(size), 0) AS size FROM
       (SELECT max(octet_length(c.text) + c.repeated) AS size ${missing} GROUP BY c.hash)`,
    ),
  );
  const missingChunks = once(() => db.prepare(`SELECT count(*) AS count ${missing}`));
  const anyMissing = once(() => db.prepare(`SELECT 1 ${missing} LIMIT 1`));
  const done = once(() =>
    db.prepare(
      `SELECT count(DISTINCT c.hash) AS texts, ifnull(sum(length(v.codes)), 0) AS size
     FROM vector_rows v JOIN chunk_rows c ON c.key = ${chunkOfRow} WHERE ${vectorsAfter("?1", "0")}`,
    ),
  );
  const usage = once(() =>
    db.prepare("SELECT requests, tokens, texts, cost_usd AS costUsd FROM embedder_usage WHERE embedder = ?"),
  );
  let lastMask: { files: FileSelection; keys: readonly number[]; length: number; mask: Uint8Array } | null =
    null;

  const maskOf = (files: FileSelection, { keys, indexOf }: ScoredChunks): Uint8Array => {
    const isSame = lastMask?.files === files && lastMask.keys === keys && lastMask.length === keys.length;
    if (lastMask !== null && isSame) return lastMask.mask;
    const mask = new Uint8Array(keys.length).fill(files.mode === "only" ? 0 : 1);
    for (const key of files.keys()) {
      const place = indexOf(key);
      if (place !== -1) mask[place] = files.mode === "only" ? 1 : 0;
    }
    lastMask = { files, keys, length: keys.length, mask };
    return mask;
  };

  /** By the codes in memory. */
  const estimate = (name: string, query: Float32Array): ScoredChunks | null => {
    const matrix = load(name);
    if (matrix === null) return null;
    refuseFaultyQuery(query, matrix.dimensions);
    return { keys: matrix.keys, similarities: matrix.score(query), indexOf: matrix.indexOf };
  };

  /** The cosines of these chunks by their exact vectors; one without keeps its estimate. */
  const compare = (
    set: EmbedderRow,
    query: Float32Array,
    { keys, similarities }: ScoredChunks,
    places: readonly number[],
  ): { id: number; similarity: number }[] => {
    const vectors =
      set.vectors_per_text === "one"
        ? // In the order of the file, so that a page is read once.
          cache().vectorsOf(
            set,
            places.toSorted((a, b) => a - b).map((place) => keys[place]!),
          )
        : new Map<number, Float32Array>();
    const unit = toUnit(query);
    return places.map((place) => {
      const id = keys[place]!;
      const vector = vectors.get(id);
      return { id, similarity: vector ? cosineOfUnits(unit, vector) : similarities[place]! };
    });
  };

  return {
    find: (name: string): EmbedderRow | null => find(name),
    list,
    get cache() {
      return cache();
    },
    missing: (name: string, limit: number, { except, only }: NarrowTexts = {}): MissingText[] =>
      inSnapshot(db, () => {
        const { id, done_key } = find(name) ?? { id: 0, done_key: 0 };
        const texts: MissingText[] = [];
        if (only !== undefined) {
          for (const hash of new Set(only)) {
            if (texts.length >= limit) break;
            const row = except?.has(hash) ? undefined : missingOfHash().get(id, hash);
            if (row !== undefined) texts.push(row as unknown as MissingText);
          }
          return texts;
        }
        if (except !== undefined && except.size > 0) {
          const seen = new Set(except);
          for (const row of missingHashes().iterate(id, done_key)) {
            if (texts.length >= limit) break;
            const { key, hash } = row as { key: number; hash: string };
            if (seen.has(hash)) continue;
            seen.add(hash);
            // The text of filtered chunks need not be read.
            texts.push(textOfKey().get(key) as unknown as MissingText);
          }
          return texts;
        }
        const rows = missingTexts().all(id, done_key, atMost(limit)) as unknown as MissingText[];
        return [...new Map(rows.map(({ hash, text }) => [hash, { hash, text }])).values()];
      }),
    /** Loads vectors into memory for this long; false if there are more. Without it, the first search loads all. */
    loadSome: (name: string, sliceMs: number): boolean => inSnapshot(db, () => loadSome(name, sliceMs)),
    /** `scored` may provide similarities of all chunks; otherwise they are estimated from the codes. */
    byVector: (
      name: string,
      query: Float32Array,
      { limit, filter }: { limit: number; filter?: ChunkFilter },
      scored: ScoredChunks | null = null,
    ): VectorCandidates =>
      inSnapshot(db, () => {
        const all = scored ?? estimate(name, query);
        const set = find(name);
        if (all === null || set === null) return { candidates: [], median: 0 };
        const files = selectFiles(filter);
        const allowed = files === null ? null : maskOf(files, all);
        const max = atMost(limit);
        const places = selectHighest(all.similarities, max * countCompared(set), allowed);
        const compared = compare(set, query, all, places);
        compared.sort((a, b) => b.similarity - a.similarity || a.id - b.id);
        return { candidates: compared.slice(0, max), median: findMedian(all.similarities) };
      }),
    similarities: (name: string, query: Float32Array, ids: readonly number[]): Map<number, number> =>
      inSnapshot(db, () => {
        const all = estimate(name, query);
        const set = find(name);
        if (all === null || set === null) return new Map();
        const places = ids
          .map(all.indexOf)
          .filter(
            (place) => (all.similarities[place] ?? Number.NEGATIVE_INFINITY) > Number.NEGATIVE_INFINITY,
          );
        return new Map(compare(set, query, all, places).map(({ id, similarity }) => [id, similarity]));
      }),
    isComplete: (name: string): boolean =>
      inSnapshot(db, () => {
        const set = find(name);
        return set !== null && anyMissing().get(set.id, set.done_key) === undefined;
      }),
    sets: (): VectorSet[] =>
      inSnapshot(db, () =>
        list().map(({ id, name, provider, done_key }) => ({
          id: name,
          provider,
          missing: (missingChunks().get(id, done_key) as { count: number }).count,
        })),
      ),
    statistics: (name: string) =>
      inSnapshot(db, () => {
        const { id, done_key, dims } = find(name) ?? { id: 0, done_key: 0, dims: 0 };
        const { texts, size } = done().get(id) as { texts: number; size: number };
        const lacking = missingCount().get(id, done_key) as { count: number; size: number };
        return {
          texts,
          missing: lacking.count,
          missingTokens: estimateTokens(lacking.size),
          sizeBytes: size,
          ...(dims === 0 ? {} : { dims }),
          usage: { ...noUsage, ...(usage().get(name) as EmbedderUsage | undefined) },
          cacheEntries: cache().count(),
        };
      }),
  };
}
