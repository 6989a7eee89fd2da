import type { ChunkFilter } from "../store.ts";
import type { VectorCandidates } from "../store-vectors.ts";
import { cosineOfUnits, refuseFaultyQuery, toUnit } from "../vectors/vector-codes.ts";
import { findMedian, selectHighest } from "../vectors/vector-rank.ts";
import { cacheUntilChange } from "./held-rows.ts";
import type { LanceTable } from "./lance-package.ts";
import type { ChunkTexts, SetTexts } from "./set-texts.ts";
import { type ChunkCondition, findRows, findRowsWith, maxListed, prepareFilter, readRows } from "./sql.ts";
import { readVectors } from "./vector-records.ts";

/** A text with its similarity to the query. */
interface RankedText {
  readonly hash: string;
  readonly similarity: number;
}

export interface VectorQuestion {
  readonly chunks: LanceTable;
  readonly query: Float32Array;
  readonly limit: number;
  readonly filter: ChunkFilter | undefined;
}

/** Sample size for the similarity of an ordinary text. */
const sampleSize = 1024;
/** For an index search: how many partitions are probed, and how many of the best are compared exactly. */
const probes = 256;
const refinement = 4;

/** Searches codes in memory. */
export async function searchCodes(
  question: VectorQuestion,
  texts: SetTexts,
  all: ChunkTexts,
  dims: number,
): Promise<VectorCandidates> {
  refuseFaultyQuery(question.query, dims);
  const scores = texts.score(question.query).slice();
  const candidates = await findChunks(question, async (count) =>
    selectHighest(scores, count, null).flatMap((location) => {
      const hash = texts.hashAt(location);
      return hash === undefined ? [] : [{ hash, similarity: scores[location]! }];
    }),
  );
  const ofChunks = new Float32Array([...all.values()].reduce((sum, { chunks }) => sum + chunks, 0));
  let at = 0;
  for (const { hash, chunks } of all.values()) {
    const score = scores[texts.indexOf(hash) ?? -1] ?? Number.NEGATIVE_INFINITY;
    ofChunks.fill(score, at, at + chunks);
    at += chunks;
  }
  return { candidates, median: findMedian(ofChunks) };
}

/** The vectors of a set. `texts` are those of the set: the table holds older ones, too. */
export interface ExactVectors {
  readonly cache: LanceTable;
  readonly texts: SetTexts;
  readonly dims: number;
  readonly findOrdinary: FindOrdinary;
}

/** Searches exact vectors in LanceDB. */
export async function searchVectors(
  question: VectorQuestion,
  { cache, texts, dims, findOrdinary }: ExactVectors,
): Promise<VectorCandidates> {
  const { query } = question;
  refuseFaultyQuery(query, dims);
  const isIndexed = (await cache.listIndices()).some(({ columns }) => columns.includes("vector"));
  let attempts = 0;
  const candidates = await findChunks(question, async (count) => {
    const search = cache.query().nearestTo(query).column("vector").distanceType("cosine");
    // If an index returns too few, the search is exhaustive.
    if (isIndexed && attempts++ === 0) search.nprobes(probes).refineFactor(refinement);
    else search.bypassVectorIndex();
    const rows = await search.select(["hash", "_distance"]).limit(count).toArray();
    return rows.map(({ hash, _distance }) => ({ hash, similarity: 1 - _distance }));
  });
  return { candidates, median: await findOrdinary(cache, query, texts) };
}

/** Similarities by codes in memory, by hash. */
export function compareCodes(
  texts: SetTexts,
  query: Float32Array,
  hashes: readonly string[],
): Map<string, number> {
  const scores = texts.score(query);
  const found = hashes.map((hash) => [hash, scores[texts.indexOf(hash)!]!] as const);
  return new Map(found.filter(([, score]) => score > Number.NEGATIVE_INFINITY));
}

/** Exact similarities, by hash. */
export async function compareExactly(
  cache: LanceTable,
  query: Float32Array,
  hashes: readonly string[],
): Promise<Map<string, number>> {
  const unit = toUnit(query);
  const entries = await readVectors(cache, [...new Set(hashes)]);
  return new Map(entries.map(({ hash, vectors: [vector] }) => [hash, cosineOfUnits(unit, vector!)]));
}

/**
 * The chunks that contain the best texts and match the filter. How many texts that takes is unknown: more are requested
 * until there are enough chunks or no more texts.
 */
async function findChunks(
  { chunks, limit, filter }: VectorQuestion,
  rank: (count: number) => Promise<readonly RankedText[]>,
): Promise<{ id: number; similarity: number }[]> {
  const max = Math.min(Math.trunc(limit), await chunks.countRows());
  if (!(max > 0)) return [];
  const condition = await prepareFilter(chunks, filter);
  for (let count = max * 4; ; count *= 8) {
    const ranked = await rank(count);
    const found = await chunksWith(chunks, ranked, condition);
    if (found.length < max && ranked.length >= count) continue;
    found.sort((a, b) => b.similarity - a.similarity || a.id - b.id);
    return found.slice(0, max);
  }
}

async function chunksWith(
  chunks: LanceTable,
  texts: readonly RankedText[],
  { sql, accepts }: ChunkCondition,
): Promise<{ id: number; similarity: number }[]> {
  const similarities = new Map(texts.map(({ hash, similarity }) => [hash, similarity]));
  const hashes = [...similarities.keys()];
  const columns = ["id", "hash", "path"] as const;
  const rows =
    hashes.length > 5 * maxListed
      ? await findRows(chunks, sql, columns)
      : await findRowsWith(chunks, ["hash", hashes], columns, sql);
  return rows.flatMap(({ id, hash, path }) => {
    const similarity = similarities.get(hash);
    return similarity !== undefined && accepts(path) ? [{ id: id!, similarity }] : [];
  });
}

/** How similar an ordinary text of a set is to a query. */
export type FindOrdinary = (cache: LanceTable, query: Float32Array, texts: SetTexts) => Promise<number>;

export function createFindOrdinary(): FindOrdinary {
  const sampleOf = cacheUntilChange(readSample);
  return async (cache, query, texts) => {
    const unit = toUnit(query);
    const ofSet = (await sampleOf(cache)).filter(({ hash }) => texts.has(hash));
    return findMedian(Float32Array.from(ofSet, ({ vector }) => cosineOfUnits(unit, vector)));
  };
}

async function readSample(cache: LanceTable): Promise<{ hash: string; vector: Float32Array }[]> {
  const count = await cache.countRows();
  const step = Math.max(1, Math.floor(count / sampleSize));
  const offsets = Array.from({ length: Math.min(count, sampleSize) }, (_, index) => index * step);
  if (offsets.length === 0) return [];
  const rows = await readRows(cache.takeOffsets(offsets), ["hash", "vector"]);
  return rows.map(({ hash, vector }) => ({ hash, vector: vector.toArray() }));
}
