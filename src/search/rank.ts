import { type AlignedPassage, raiseScores } from "./assist.ts";
import { aboutScore, calibrateScores } from "./calibrate.ts";
import { type EvidenceOptions, fuseEvidence } from "./fuse-evidence.ts";
import type { RankedPassage } from "./hits.ts";
import type { Passage } from "./passages.ts";
import { clamp } from "./query-terms.ts";
import type { VectorResult } from "./semantic-search.ts";

/**
 * How keyword and semantic scores are fused. `evidence` trusts each as far as it is above chance for this query.
 * `assist` is for the builtin model, whose quality is known: it raises keyword scores by the similarity of the chunk
 * and of its words to the query words that it lacks. The others are for users who set weights.
 */
export type Blend =
  | { readonly kind: "evidence" }
  | { readonly kind: "assist" }
  | { readonly kind: "weighted" | "rrf"; readonly vectorWeight: number; readonly textWeight: number };

export interface RankOptions {
  readonly termCount: number;
  /** False if the index has no full-text search. */
  readonly hasText: boolean;
  readonly vectorResult: Pick<VectorResult, "scoreOf" | "best" | "chance"> | null;
  /** The best passages, compared by their words; see `alignPassages`. */
  readonly aligned?: ReadonlyMap<Passage, AlignedPassage>;
  /** Fraction of the query, by weight, that the builtin model can know. */
  readonly knownShare?: number;
  readonly blend:
    | Exclude<Blend, { kind: "evidence" }>
    | ({ readonly kind: "evidence" } & Omit<EvidenceOptions, "termCount" | "hasText">);
  /** Null without temporal decay. */
  readonly decay: {
    readonly today: string;
    readonly halfLifeDays: number;
    /** For undated notes. */
    readonly dayModified?: ((path: string) => string | undefined) | undefined;
  } | null;
}

/** Passages with their final scores, best first. */
export function rankPassages(passages: readonly Passage[], options: RankOptions): RankedPassage[] {
  const { termCount, hasText, vectorResult, blend, decay } = options;
  const raw = passages.map(({ score }) => score);
  const texts = calibrateScores(raw, termCount);
  const vectors = passages.map((passage) => vectorResult?.scoreOf(passage) ?? null);
  const fused =
    blend.kind === "evidence"
      ? fuseEvidence(passages, { ...blend, termCount, hasText })
      : (vectorResult === null ? texts : blendScores(passages, texts, vectors, { ...options, blend })).map(
          (score, index) => ({ index, score, isRelocated: false }),
        );
  return fused
    .map(({ index, score: relevance, isRelocated }) => {
      const passage = passages[index]!;
      const { chunk } = passage;
      const dateOf = () =>
        chunk.date ?? (chunk.source === "memory" ? decay?.dayModified?.(chunk.path) : undefined);
      const factor = decay !== null && ages(chunk) ? decayFactor(dateOf(), decay) : 1;
      return {
        passage: isRelocated ? { ...passage, isMatched: false } : passage,
        index,
        relevance,
        score: relevance * factor,
        textScore: hasText ? texts[index]! : null,
        vectorScore: vectors[index]!,
        decay: factor,
      };
    })
    .sort(byScoreThenDate);
}

/**
 * With the similarities of another embedder, the builtin model raises keyword scores before both are weighed. It says
 * too little of a passage without a query word to compete with those similarities.
 */
export function withAlignment(
  ranking: RankOptions,
  passages: readonly Passage[],
  aligned: ReadonlyMap<Passage, AlignedPassage>,
): RankOptions {
  const { blend, termCount, knownShare = 1 } = ranking;
  if (blend.kind !== "evidence") return { ...ranking, aligned };
  const scores = raiseScores(passages, { termCount, knownShare, aligned });
  const raised = scores.map((score, i) => (passages[i]!.score > 0 ? score : 0));
  return { ...ranking, blend: { ...blend, raised } };
}

/** The curated long-term memory does not decay, whatever date its front matter has. */
function ages({ source, scope }: Passage["chunk"]): boolean {
  return source === "sessions" || scope !== "private";
}

function blendScores(
  passages: readonly Passage[],
  texts: readonly number[],
  vectors: readonly (number | null)[],
  {
    blend,
    hasText,
    termCount,
    vectorResult,
    aligned,
    knownShare = 1,
  }: RankOptions & { readonly blend: Exclude<Blend, { kind: "evidence" }> },
): number[] {
  if (blend.kind === "assist") {
    const { best, chance } = vectorResult ?? { best: 0, chance: 1 };
    const similarity = { best, scores: vectors };
    const raised = raiseScores(passages, { termCount, knownShare, aligned, similarity });
    return calibrateScores(raised, termCount, { best, chance });
  }
  const standings = texts.map((text, i) => ({ text, vector: vectors[i]! }));
  const { kind: fusion, vectorWeight, textWeight } = blend;
  const fused = fuseScores(standings, { fusion, vectorWeight, textWeight, hasText, hasVector: true });
  // A passage that either search is sure of stays above the threshold, however low the other scores it; passages above
  // it keep their order.
  return fused.map((score, i) => {
    const surest = Math.max(score, texts[i]!, vectors[i] ?? 0);
    return surest < aboutScore ? score : aboutScore + (1 - aboutScore) * score;
  });
}

/** Ties go to the newer note, then by path and line, so that the order never depends on how the index was built. */
function byScoreThenDate(left: RankedPassage, right: RankedPassage): number {
  const [a, b] = [left.passage, right.passage];
  return (
    right.score - left.score ||
    compare(b.chunk.date ?? "", a.chunk.date ?? "") ||
    compare(a.chunk.path, b.chunk.path) ||
    a.lines.start - b.lines.start
  );
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/**
 * The fraction of its score that a dated note keeps: half after `halfLifeDays`, a quarter after twice that. Undated
 * notes and MEMORY.md keep all of it, and a future date counts as today.
 */
export function decayFactor(
  date: string | undefined,
  { today, halfLifeDays }: { today: string; halfLifeDays: number },
): number {
  if (date === undefined) return 1;
  const ageDays = (Date.parse(today) - Date.parse(date)) / 86_400_000;
  return ageDays > 0 ? Math.exp((-Math.LN2 / halfLifeDays) * ageDays) : 1;
}

/** A chunk's keyword and vector scores; null if a search cannot score it, for example because it has no vector yet. */
export interface Standing {
  readonly text: number | null;
  readonly vector: number | null;
}

export interface FusionOptions {
  readonly fusion: "weighted" | "rrf";
  /** Sum to 1. */
  readonly vectorWeight: number;
  readonly textWeight: number;
  /** Whether each search answered at all; one that did not is ignored. */
  readonly hasText: boolean;
  readonly hasVector: boolean;
}

/** The usual constant of reciprocal rank fusion: the rank at which a position counts half as much as the first. */
const rankOffset = 60;

/**
 * Fuses keyword and vector scores into one score in 0..1, in the order of the input.
 *
 * If one search could not answer, or cannot score a chunk, the other score counts in full: a missing score is not a
 * low score. (A chunk that only one search found has already been scored by the other.)
 */
export function fuseScores(standings: readonly Standing[], options: FusionOptions): number[] {
  const { hasText, hasVector } = options;
  if (!hasVector) return standings.map(({ text }) => text ?? 0);
  if (!hasText) return standings.map(({ vector }) => vector ?? 0);
  return options.fusion === "rrf" ? fuseRanks(standings, options) : standings.map((s) => blend(s, options));
}

function blend({ text, vector }: Standing, { vectorWeight, textWeight }: FusionOptions): number {
  if (text === null) return vector ?? 0;
  if (vector === null) return text;
  return vectorWeight * vector + textWeight * text;
}

/** Fuses by rank instead of score. */
function fuseRanks(standings: readonly Standing[], options: FusionOptions): number[] {
  const texts = scoreRanks(standings.map(({ text }) => text));
  const vectors = scoreRanks(standings.map(({ vector }) => vector));
  return standings.map((_, i) => blend({ text: texts[i]!, vector: vectors[i]! }, options));
}

/** 1 for the best, decreasing with rank; equal scores share a rank. */
function scoreRanks(scores: readonly (number | null)[]): (number | null)[] {
  const sorted = [...new Set(scores.filter((score) => score !== null))].sort((a, b) => b - a);
  const scoreOf = new Map(sorted.map((score, i) => [score, (rankOffset + 1) / (rankOffset + i + 1)]));
  return scores.map((score) => (score === null ? null : scoreOf.get(score)!));
}

/**
 * Maximal marginal relevance: repeatedly picks a good item that is unlike those picked before. `lambda` 1 considers
 * only the score, 0 only the difference. Likeness is the Jaccard index of the tokens.
 */
export function diversify<T extends { readonly score: number }>(
  items: readonly T[],
  { lambda, tokensOf }: { lambda: number; tokensOf: (item: T) => ReadonlySet<string> },
): T[] {
  const relevance = clamp(lambda, 0, 1);
  const rest = items.map((item) => ({ item, tokens: tokensOf(item), likeness: 0 }));
  const picked: T[] = [];
  while (rest.length > 0) {
    let best = 0;
    const worth = (index: number): number =>
      relevance * rest[index]!.item.score - (1 - relevance) * rest[index]!.likeness;
    for (let i = 1; i < rest.length; i++) if (worth(i) > worth(best)) best = i;
    const [next] = rest.splice(best, 1);
    picked.push(next!.item);
    for (const other of rest) other.likeness = Math.max(other.likeness, jaccard(next!.tokens, other.tokens));
  }
  return picked;
}

function jaccard(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  let shared = 0;
  for (const token of left) if (right.has(token)) shared++;
  const all = left.size + right.size - shared;
  return all === 0 ? 1 : shared / all;
}
