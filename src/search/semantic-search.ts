import { type Embedder, isRefused } from "../embedders/embedder.ts";
import { failureOf, type ProviderFailure } from "../embedders/fallback-chain.ts";
import { LonghandError } from "../errors.ts";
import type { ChunkFilter, StoredChunk, VectorStore } from "../stores/store.ts";
import type { VectorCandidates } from "../stores/store-vectors.ts";
import type { LineRange } from "../text/document.ts";
import { runWithin } from "../timing.ts";
import { type EmbedderTrust, estimateSemanticEvidence, type KeywordFinding } from "./evidence.ts";
import { textOf } from "./passages.ts";

export interface SemanticOptions {
  readonly embedder: Embedder;
  /** How long a search waits for the query's embedding. */
  readonly waitMs: number;
}

/** The result of a semantic search. */
export interface VectorResult {
  readonly candidates: readonly number[];
  /** The score of the most similar chunk, from its stored vectors. */
  readonly best: number;
  /** The score that the best of this many chunks would reach by chance; below it, similarity alone is no answer. */
  readonly chance: number;
  /** How far the best chunk is above chance; see `SemanticEvidence`. */
  readonly surprise: number;
  /** The most similar chunks, best first. */
  readonly nearest: readonly number[];
  /** Evidence for a passage in nats, as in `SemanticEvidence`; null is a passage that is as dissimilar as any. */
  combine(keywords: KeywordFinding, passage: PassageLines | null): number;
  /** Evidence for a passage whose keywords say nothing; negative if similarity counts against it. */
  evidenceOf(passage: PassageLines): number;
  /** As in `SemanticEvidence`; 1 if it has no vectors yet. */
  unprovedRatioOf(chunkId: number, explained: number): number;
  /** As in `SemanticEvidence`; 0 if it has no vectors yet. */
  deviationsOf(chunkId: number, explained: number): number;
  /** 0..1; null if its chunk has no vectors yet. */
  scoreOf(passage: PassageLines): number | null;
  /** Loads the similarities of further chunks, so that `scoreOf` knows them. */
  loadScores(ids: readonly number[]): Promise<void>;
  /** Rescores these passages with exact vectors, which costs time for each; false if nothing changed. */
  rescore(passages: readonly PassageLines[]): Promise<boolean>;
  /** The lines of a chunk that are most similar to the query. */
  locate(chunk: StoredChunk): Promise<LineRange>;
}

/** Why semantic search is unavailable. */
interface SemanticProblem {
  /** Null if the query has nothing to embed. */
  readonly problem: string | null;
  /** Set if the embedder failed and another could answer. */
  readonly failure?: ProviderFailure;
}

/** Some lines of a chunk. */
interface PassageLines {
  readonly chunk: StoredChunk;
  readonly lines: LineRange;
  /** False if no line of the chunk matches better than the others. */
  readonly isMatched: boolean;
}

export interface SemanticRequest {
  /** The embedder's id when it was chosen. */
  readonly chosenId: string;
  readonly limit: number;
  readonly filter: ChunkFilter;
  readonly totalChunks: number;
  /** Called while the query is embedded, because finding out may take requests of its own. */
  readonly trust: () => Promise<EmbedderTrust>;
  readonly signal: AbortSignal | undefined;
}

/** Number of best chunks that are needed to estimate the background similarity. */
const minCompared = 40;
/** In a smaller index the median chunk may itself be an answer. */
const enoughForMiddle = 50;
/** Typical similarity of unrelated texts, and its standard deviation. */
const unrelated = 0.05;
const spread = 0.09;
/** Vectors per chunk. */
const usualWindows = 10;
/**
 * Weight of a passage's own lines against the best window of its chunk. The lines are compared exactly and the chunk
 * by its quantized vectors, but the surrounding text tells what a passage is about.
 */
const closerShare = 0.4;

/**
 * Runs a semantic search, or says why it cannot. Raw cosines are not comparable between models, and their level
 * depends on the notes; so a chunk's score is its position between the median chunk and an identical text.
 */
export async function semanticSearch(
  query: string,
  { embedder, waitMs }: SemanticOptions,
  store: Pick<VectorStore, "byVector" | "similarities">,
  { chosenId, limit, filter, totalChunks, trust, signal }: SemanticRequest,
): Promise<VectorResult | SemanticProblem> {
  const embedding = embedWithin(query, embedder, waitMs, signal);
  const trusting = trust();
  const vector = await embedding;
  if (!(vector instanceof Float32Array)) return vector;
  const compared = Math.max(limit, minCompared);
  const { id: embedderId } = embedder;
  const found = await store.byVector(embedderId, vector, { limit: compared, filter }).catch(refuseVector);
  if ("problem" in found) return found;
  const { candidates, median } = found;
  if (embedderId !== chosenId && candidates.length === 0) return { problem: describeChange(embedder) };
  const best = candidates.map(({ similarity }) => similarity);
  const evidence = estimateSemanticEvidence({ best, median, totalChunks }, await trusting);
  const similarities = new Map(candidates.map(({ id, similarity }) => [id, similarity]));
  const background = totalChunks < enoughForMiddle ? unrelated : Math.max(median, unrelated);
  const chance = background + spread * Math.sqrt(2 * Math.log(usualWindows * Math.max(1, totalChunks)));
  const toScore = (similarity: number): number =>
    Math.min(1, Math.max(0, (similarity - background) / Math.max(0.05, 1 - background)));

  const closer = new Map<PassageLines, number>();
  let isAnswering = true;
  /** Embedding a text again is cheaper than storing its exact vectors. What was found is shown without them, too. */
  const embedAgain = async (text: string): Promise<readonly Float32Array[]> => {
    if (!isAnswering) return [];
    const embed = (either: AbortSignal) => embedder.embedDocuments([text], { signal: either });
    const answer = await runWithin(waitMs, embed, { signal }).catch(() => {});
    isAnswering = answer !== undefined;
    const [windows = []] = answer ?? [];
    return isRefused(windows) ? [] : windows;
  };

  const combine = (keywords: KeywordFinding, passage: PassageLines | null): number => {
    if (passage === null) return evidence.combine(keywords, null);
    const similarity = similarities.get(passage.chunk.id);
    // Without vectors it counts like an average chunk.
    if (similarity === undefined) return Math.log(keywords.odds);
    const exact = closer.get(passage) ?? similarity;
    return evidence.combine(keywords, (1 - closerShare) * similarity + closerShare * exact);
  };

  return {
    candidates: candidates.slice(0, limit).map(({ id }) => id),
    surprise: evidence.surprise,
    nearest: candidates.slice(0, minCompared).map(({ id }) => id),
    combine,
    evidenceOf: (passage) => combine({ odds: 1, explained: 0 }, passage),
    unprovedRatioOf(chunkId, explained) {
      const similarity = similarities.get(chunkId);
      return similarity === undefined ? 1 : evidence.unprovedRatio(similarity, explained);
    },
    deviationsOf(chunkId, explained) {
      const similarity = similarities.get(chunkId);
      return similarity === undefined ? 0 : evidence.deviations(similarity, explained);
    },
    best: toScore(candidates[0]?.similarity ?? 0),
    chance: toScore(chance),
    scoreOf(passage) {
      const similarity = similarities.get(passage.chunk.id);
      if (similarity === undefined) return null;
      const score = toScore(similarity);
      const exact = closer.get(passage);
      return exact === undefined ? score : (1 - closerShare) * score + closerShare * toScore(exact);
    },
    async rescore(passages) {
      if (embedder.vectorsPerText === "one" || embedder.isSlow) return false;
      for (const passage of passages) {
        if (!passage.isMatched || !similarities.has(passage.chunk.id)) continue;
        const windows = await embedAgain(textOf(passage));
        if (windows.length > 0)
          closer.set(passage, Math.max(...windows.map((window) => dot(window, vector))));
      }
      return closer.size > 0;
    },
    async loadScores(ids) {
      const unknown = ids.filter((id) => !similarities.has(id));
      if (unknown.length === 0) return;
      for (const [id, similarity] of await store.similarities(embedderId, vector, unknown)) {
        similarities.set(id, similarity);
      }
    },
    async locate(chunk) {
      if (embedder.vectorsPerText === "one") return chunk.lines;
      const windows = await embedAgain(chunk.text);
      return linesOfWindow(chunk, bestOf(windows, vector), windows.length);
    },
  };
}

function describeChange({ provider, model, dimensions }: Embedder): string {
  return `${provider} ${model} now gives vectors of ${dimensions} dimensions; the notes are embedded again and found by keyword search meanwhile`;
}

/** Invalid or locked vectors must not fail the keyword search. */
function refuseVector(error: unknown): VectorCandidates | SemanticProblem {
  if (error instanceof LonghandError && error.code === "index-busy") return { problem: error.message };
  if (error instanceof LonghandError && error.code === "vectors-invalid") return failed(error);
  throw error;
}

function failed(error: unknown): SemanticProblem {
  const failure = failureOf(error);
  return { problem: failure.reason, failure };
}

async function embedWithin(
  query: string,
  embedder: Embedder,
  waitMs: number,
  signal: AbortSignal | undefined,
): Promise<Float32Array | SemanticProblem> {
  try {
    const embedded = await runWithin(waitMs, (either) => embed(query, embedder, either), { signal });
    if (embedded !== undefined) return embedded;
    const reason = `${embedder.provider} gave no vector for the question within ${waitMs} ms`;
    return { problem: reason, failure: { reason, kind: "late" } };
  } catch (error) {
    if (signal?.aborted) return { problem: "the caller cancelled" };
    throw error;
  }
}

async function embed(
  query: string,
  embedder: Embedder,
  signal: AbortSignal,
): Promise<Float32Array | SemanticProblem> {
  try {
    return (await embedder.embedQuery(query, { signal })) ?? { problem: null };
  } catch (error) {
    return failed(error);
  }
}

function dot(left: Float32Array, right: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < left.length; i++) sum += left[i]! * right[i]!;
  return sum;
}

function bestOf(windows: readonly Float32Array[], query: Float32Array): number {
  const similarities = windows.map((window) => dot(window, query));
  return similarities.indexOf(Math.max(...similarities));
}

/** Windows are evenly spaced and overlap by half, so the nth starts at that fraction of the text. */
function linesOfWindow({ text, lines }: StoredChunk, window: number, count: number): LineRange {
  const lineOf = (share: number): number => {
    const end = Math.min(text.length - 1, Math.floor(share * text.length));
    let line = lines.start;
    for (let at = text.indexOf("\n"); at >= 0 && at < end; at = text.indexOf("\n", at + 1)) line++;
    return Math.min(line, lines.end);
  };
  if (count < 2) return lines;
  return { start: lineOf(window / (count + 1)), end: lineOf((window + 2) / (count + 1)) };
}
