import { type Embedder, isRefused } from "../embedders/embedder.ts";
import { failureOf, type ProviderFailure } from "../embedders/fallback-chain.ts";
import { LonghandError } from "../errors.ts";
import type { ChunkFilter, StoredChunk, VectorCandidates, VectorStore } from "../stores/store.ts";
import type { LineRange } from "../text/document.ts";
import { textOf } from "./align.ts";
import { type EmbedderTrust, weighSimilarities } from "./evidence.ts";

/** How a question's vector and the chunks' vectors are used. */
export interface SemanticOptions {
  readonly embedder: Embedder;
  /** How long a search waits for the question's vector. */
  readonly waitMs: number;
}

/** What search by meaning found. */
export interface VectorResult {
  readonly candidates: readonly number[];
  /** The score of the nearest chunk, as its kept vectors tell. */
  readonly best: number;
  /** The score that the best of so many chunks would reach by chance: below it, meaning alone answers nothing. */
  readonly chance: number;
  /** How far the best chunk is above chance, see `SemanticEvidence`. */
  readonly surprise: number;
  /** The most that similarity can say against a passage, in nats. */
  readonly against: number;
  /** Evidence for a passage, in nats; below 0, similarity speaks against it. 0 for one that has no vectors yet. */
  evidenceOf(passage: PassagePlace): number;
  /** How similar its chunk is, in standard deviations above the middle; 0 for one that has no vectors yet. */
  deviationsOf(passage: PassagePlace): number;
  /** 0..1 for a passage of any chunk that has vectors; null for one that has none yet. */
  scoreOf(passage: PassagePlace): number | null;
  /** Makes `scoreOf` know these chunks too. */
  loadScores(ids: readonly number[]): Promise<void>;
  /** Makes `scoreOf` more exact for these passages, which takes a moment for each; false when nothing has changed. */
  rescore(passages: readonly PassagePlace[]): Promise<boolean>;
  /** Where in a chunk its most similar part stands. */
  locate(chunk: StoredChunk): Promise<LineRange>;
}

/** Why there is no semantic search. */
export interface SemanticProblem {
  /** Null when the question holds nothing to embed. */
  readonly problem: string | null;
  /** There where the embedder failed, and another could answer. */
  readonly failure?: ProviderFailure;
}

/** Some lines of a chunk. */
export interface PassagePlace {
  readonly chunk: StoredChunk;
  readonly lines: LineRange;
  /** False when its lines are no better than any other lines of the chunk. */
  readonly isMatched: boolean;
}

export interface SemanticRequest {
  /** The id that the embedder had when it was chosen to answer. */
  readonly chosenId: string;
  readonly limit: number;
  readonly filter: ChunkFilter;
  readonly totalChunks: number;
  readonly trust: EmbedderTrust;
  readonly signal: AbortSignal | undefined;
}

/** So many of the best tell what the best of unrelated chunks look like. */
const minCompared = 40;
/** In a smaller memory the middle of all chunks may well be the answer. */
const enoughForMiddle = 50;
/** The usual similarity of texts that have nothing to do with each other, and how far it scatters. */
const unrelated = 0.05;
const spread = 0.09;
/** Vectors a chunk. */
const usualWindows = 10;
/**
 * How much a passage's own lines count beside the best of its chunk. They are compared exactly, and the chunk by the signs
 * that are kept of it; but what surrounds a passage tells what it is about.
 */
const closerShare = 0.4;

/**
 * Searches by meaning, or says why it cannot. The raw cosine of one model means little to another, and its level
 * depends on the notes; so a chunk's score is where it stands between the middle of all chunks and equality.
 */
export async function semanticSearch(
  query: string,
  { embedder, waitMs }: SemanticOptions,
  store: Pick<VectorStore, "byVector" | "similarities">,
  { chosenId, limit, filter, totalChunks, trust, signal }: SemanticRequest,
): Promise<VectorResult | SemanticProblem> {
  const vector = await embedWithin(query, embedder, waitMs, signal);
  if (!(vector instanceof Float32Array)) return vector;
  const compared = Math.max(limit, minCompared);
  const { id: embedderId } = embedder;
  const found = await store.byVector(embedderId, vector, { limit: compared, filter }).catch(refuseVector);
  if ("problem" in found) return found;
  const { candidates, median } = found;
  if (embedderId !== chosenId && candidates.length === 0) return { problem: describeChange(embedder) };
  const best = candidates.map(({ similarity }) => similarity);
  const evidence = weighSimilarities({ best, median, totalChunks }, trust);
  const similarities = new Map(candidates.map(({ id, similarity }) => [id, similarity]));
  const background = totalChunks < enoughForMiddle ? unrelated : Math.max(median, unrelated);
  const chance = background + spread * Math.sqrt(2 * Math.log(usualWindows * Math.max(1, totalChunks)));
  const toScore = (similarity: number): number =>
    Math.min(1, Math.max(0, (similarity - background) / Math.max(0.05, 1 - background)));

  const closer = new Map<PassagePlace, number>();
  /** Embedding a text again is cheaper than keeping its vectors exactly. */
  const embedAgain = async (text: string): Promise<readonly Float32Array[]> => {
    const [windows = []] = await embedder.embedDocuments([text]);
    return isRefused(windows) ? [] : windows;
  };

  return {
    candidates: candidates.slice(0, limit).map(({ id }) => id),
    surprise: evidence.surprise,
    against: evidence.against,
    evidenceOf(passage) {
      const similarity = similarities.get(passage.chunk.id);
      if (similarity === undefined) return 0;
      const exact = closer.get(passage) ?? similarity;
      return evidence.of((1 - closerShare) * similarity + closerShare * exact);
    },
    deviationsOf({ chunk }) {
      const similarity = similarities.get(chunk.id);
      return similarity === undefined ? 0 : evidence.deviations(similarity);
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
  return `${provider} ${model} now gives vectors of ${dimensions} dimensions; the notes are embedded again and found by their words meanwhile`;
}

/** A vector that is none, or vectors that somebody has locked, must not cost the words their answer. */
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
  const { promise: late, resolve } = Promise.withResolvers<SemanticProblem>();
  const leaving = new AbortController();
  const reason = `${embedder.provider} gave no vector for the question within ${waitMs} ms`;
  const timer = setTimeout(() => resolve({ problem: reason, failure: { reason, kind: "late" } }), waitMs);
  const onAbort = (): void => resolve({ problem: "the caller cancelled" });
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([embed(query, embedder, leaving.signal), late]);
  } finally {
    // Nobody wants the vector any more; a request that hangs would otherwise outlive the search.
    leaving.abort();
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
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

/** Windows follow each other evenly and overlap by half, so the nth of them begins at that share of the text. */
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
