import { atMost, isFiltering } from "../candidates.ts";
import type { ChunkFilter } from "../store.ts";
import type { VectorCandidates } from "../store-vectors.ts";
import { cosineOfUnits, toUnit } from "../vectors/vector-codes.ts";
import type { VectorMatrix } from "../vectors/vector-matrix.ts";
import { findMedian, selectHighest } from "../vectors/vector-rank.ts";
import type { Sql } from "./database.ts";
import { vectorsOfChunks } from "./embedding-cache.ts";
import { filterFiles, keepMatching } from "./file-filter.ts";
import { base64Of, fromBase64 } from "./sql-values.ts";
import { encodeVector, type VectorExtension } from "./vector-extension.ts";
import { type FindOrdinary, indexedExpression, rowsOfSet } from "./vector-index.ts";
import type { SetRow } from "./vector-sets.ts";
import { readKeys } from "./vectors-load.ts";

export interface SearchParts {
  readonly sql: Sql;
  readonly agentId: number;
  readonly findOrdinary: FindOrdinary;
  readonly extension: VectorExtension | null;
}

export interface VectorRequest {
  readonly query: Float32Array;
  readonly limit: number;
  readonly filter: ChunkFilter | undefined;
}

/** The similarity of every chunk that has one. */
interface Scored {
  /** Ascending. */
  readonly keys: readonly number[];
  readonly similarities: Float32Array;
}

/** Half precision or the graph finds this many times the requested number, which are then compared exactly. */
const comparedTimes = 2;
/**
 * ef_search of pgvector; its maximum is 1000. Larger sets need more: 300 found all of the best 24 among 60,000, .990
 * among 100,000 and .963 among a million, where 700 found .992.
 */
const minEffort = 300;
const maxEffort = 1000;

/** For a search of the graph for this many of the chunks. */
export function graphEffort(chunkCount: number, limit: number): number {
  const effort = Math.round(100 * Math.log2(Math.max(1, chunkCount) / 5000));
  return Math.min(maxEffort, Math.max(minEffort, effort, 2 * limit));
}

/** By codes in memory, for embedders with several vectors per text. */
export async function searchCodes(
  parts: SearchParts,
  matrix: VectorMatrix,
  { query, limit, filter }: VectorRequest,
): Promise<VectorCandidates> {
  // The matrix's result is valid until its next use, and others may use it while this waits for the filter.
  const scored: Scored = { keys: [...matrix.keys], similarities: matrix.score(query).slice() };
  const best = await selectBest(parts, scored, atMost(limit), filter);
  const candidates = best.map(({ key: id, similarity }) => ({ id, similarity }));
  return { candidates, median: findMedian(scored.similarities) };
}

/** For embedders with one vector per text. */
export async function searchSingles(
  parts: SearchParts,
  set: SetRow,
  request: VectorRequest,
): Promise<VectorCandidates> {
  const { sql, agentId } = parts;
  const extension = set.half_column === parts.extension?.column ? parts.extension : null;
  const max = atMost(request.limit);
  const wanted = max * comparedTimes;
  const unit = toUnit(request.query);
  const { found, median } =
    set.is_indexed && extension
      ? await searchGraph(parts, extension, set, { ...request, limit: wanted })
      : await searchAll({ ...parts, extension: extension ?? null }, set, { ...request, limit: wanted });
  const vectors = await vectorsOfChunks(sql, agentId, set, keysWorthComparing(found, max));
  const compared = [...vectors].map(([id, vector]) => ({ id, similarity: cosineOfUnits(unit, vector) }));
  compared.sort((left, right) => right.similarity - left.similarity || left.id - right.id);
  return { candidates: compared.slice(0, max), median };
}

interface Found {
  /** Most similar first. */
  readonly found: readonly { readonly key: number; readonly similarity: number }[];
  readonly median: number;
}

/** The largest difference between two similarities whose order half precision can swap. */
const halfError = 0.002;

/** Those that could be among the best by their exact vectors, because fetching these is expensive. */
function keysWorthComparing(found: Found["found"], max: number): number[] {
  const min = (found[max - 1]?.similarity ?? Number.NEGATIVE_INFINITY) - halfError;
  return found.filter(({ similarity }) => similarity >= min).map(({ key }) => key);
}

/** Compares every vector. */
async function searchAll(parts: SearchParts, set: SetRow, request: VectorRequest): Promise<Found> {
  const scored =
    parts.extension === null
      ? await scoreHere(parts, set, request.query)
      : await scoreThere(parts, parts.extension, set, request.query);
  const found = await selectBest(parts, scored, request.limit, request.filter);
  return { found, median: findMedian(scored.similarities) };
}

/** On the server, which returns two numbers per chunk. */
async function scoreThere(
  { sql }: SearchParts,
  extension: VectorExtension,
  set: SetRow,
  query: Float32Array,
): Promise<Scored> {
  const { schema } = extension;
  const [joined] = await sql<{ keys: string | null; similarities: string | null }>(
    `SELECT ${base64Of("string_agg(int8send(key), ''::bytea ORDER BY key)")} AS keys,
       ${base64Of("string_agg(float4send(similarity), ''::bytea ORDER BY key)")} AS similarities
     FROM (SELECT v.key, (1 - (${indexedExpression(set, extension)} OPERATOR(${schema}.<=>)
         $1::${schema}.vector::${schema}.halfvec(${set.dims})))::float4 AS similarity
       FROM longhand.chunks_vec v WHERE ${rowsOfSet(set)} AND v.embedding IS NOT NULL) AS r`,
    [encodeVector(query)],
  );
  const keys = readKeys(fromBase64(joined?.keys ?? ""));
  const floats = fromBase64(joined?.similarities ?? "");
  const similarities = Float32Array.from(keys, (_, index) => floats.readFloatBE(4 * index));
  return { keys, similarities };
}

const vectorsAtOnce = 1000;

/** In this process, without pgvector: every vector crosses the network. */
async function scoreHere({ sql, agentId }: SearchParts, set: SetRow, query: Float32Array): Promise<Scored> {
  const unit = toUnit(query);
  const scores: [number, number][] = [];
  const keys = await sql<{ key: number }>(
    `SELECT key::float8 AS key FROM longhand.chunks_vec WHERE ${rowsOfSet(set)} ORDER BY key`,
  );
  for (let at = 0; at < keys.length; at += vectorsAtOnce) {
    const group = keys.slice(at, at + vectorsAtOnce).map(({ key }) => key);
    for (const [key, vector] of await vectorsOfChunks(sql, agentId, set, group)) {
      scores.push([key, cosineOfUnits(unit, vector)]);
    }
  }
  scores.sort(([left], [right]) => left - right);
  return {
    keys: scores.map(([key]) => key),
    similarities: Float32Array.from(scores, ([, similarity]) => similarity),
  };
}

/**
 * By pgvector's graph. A very selective filter, or many deleted rows, fall back to comparing every vector, or with newer
 * versions of pgvector to searching on.
 */
async function searchGraph(
  parts: SearchParts,
  extension: VectorExtension,
  set: SetRow,
  request: VectorRequest,
): Promise<Found> {
  const { limit, filter } = request;
  const isNarrowed = isFiltering(filter);
  const [found, median] = await Promise.all([
    askGraph(parts, extension, set, request, { isIterative: isNarrowed && extension.iterates }),
    parts.findOrdinary(parts.sql, set, extension, request.query),
  ]);
  if (!isNarrowed) {
    // A single search of the graph returns fewer if rows were deleted. It takes a sixth less time than an iterative one.
    if (found.length >= limit) return { found, median };
    if (!extension.iterates) return await searchAll(parts, set, request);
    return { found: await askGraph(parts, extension, set, request, { isIterative: true }), median };
  }
  const keys = found.map(({ key }) => key);
  const passed = new Set(await keepMatching(parts.sql, parts.agentId, keys, { limit, filter }));
  if (passed.size < limit) return await searchAll(parts, set, request);
  return { found: found.filter(({ key }) => passed.has(key)), median };
}

async function askGraph(
  { sql, agentId }: SearchParts,
  extension: VectorExtension,
  set: SetRow,
  { query, limit, filter }: VectorRequest,
  { isIterative }: { readonly isIterative: boolean },
): Promise<Found["found"]> {
  const { schema } = extension;
  const narrowed = isFiltering(filter) ? filterFiles(filter, 2) : null;
  const distance = `${indexedExpression(set, extension)} OPERATOR(${schema}.<=>)
    $1::${schema}.vector::${schema}.halfvec(${set.dims})`;
  // Otherwise the server would sort all vectors: it overestimates the cost of a graph search, and takes a new table for
  // empty. The limit is part of the text, because a plan for any limit would be one for a large one.
  const [, rows] = await Promise.all([
    sql(
      `SET LOCAL hnsw.ef_search = ${graphEffort(set.chunk_count, limit)}; SET LOCAL enable_sort = off${isIterative ? "; SET LOCAL hnsw.iterative_scan = strict_order" : ""}`,
    ),
    sql<{ key: number; similarity: number }>(
      `SELECT v.key::float8 AS key, 1 - (${distance}) AS similarity FROM longhand.chunks_vec v
       ${
         narrowed === null
           ? ""
           : `JOIN longhand.chunks c ON c.agent_id = ${agentId} AND c.key = v.key
              JOIN longhand.files f ON f.agent_id = ${agentId} AND f.id = c.file_id${narrowed.conditions}`
       }
       WHERE v.agent_id = ${set.agent_id} AND v.embedder_id = ${set.id} ORDER BY ${distance} LIMIT ${limit}`,
      [encodeVector(query), ...(narrowed?.values ?? [])],
    ),
  ]);
  return rows;
}

/** The most similar chunks that match a filter, best first. */
async function selectBest(
  { sql, agentId }: SearchParts,
  { keys, similarities }: Scored,
  limit: number,
  filter: ChunkFilter | undefined,
): Promise<Found["found"]> {
  const max = isFiltering(filter) ? keys.length : limit;
  const ranked = selectHighest(similarities, max, null).map((place) => ({
    key: keys[place]!,
    similarity: similarities[place]!,
  }));
  if (!isFiltering(filter)) return ranked;
  const passed = await keepMatching(
    sql,
    agentId,
    ranked.map(({ key }) => key),
    { limit, filter },
  );
  const inside = new Set(passed);
  return ranked.filter(({ key }) => inside.has(key));
}
