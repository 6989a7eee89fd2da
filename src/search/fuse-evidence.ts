import { type KeywordEvidence, likelihoodRatio, weighKeywords } from "./evidence.ts";
import type { Passage } from "./passages.ts";
import type { VectorResult } from "./semantic-search.ts";

export interface EvidenceOptions {
  readonly termCount: number;
  readonly hasText: boolean;
  readonly totalChunks: number;
  /** Chunks that the keyword search brought, and whether no other chunk has a word of the question. */
  readonly keyword: { readonly ids: ReadonlySet<number>; readonly isComplete: boolean };
  readonly semantic: Pick<VectorResult, "evidenceOf" | "against" | "deviationsOf" | "surprise">;
}

export interface FusedPassage {
  /** Among the passages that were given. */
  readonly index: number;
  /** 0..1. */
  readonly score: number;
  /** Similarity found it rather than words, so where the words are says nothing: it is to be placed anew. */
  readonly isPlacedAnew: boolean;
}

/** Passages that words place this far below the best are noise beside it. */
const minShare = 0.3;

/**
 * Adds the evidence of keyword and semantic search and puts the sum on the scale of `minScore`, in the same order.
 *
 * The best passage says how well memory answers the question at all: by words, or by how far the most similar chunk is
 * above chance, whichever is surer. The others follow in proportion to their evidence. No score is cut off at a limit,
 * because what is cut off loses its order.
 */
export function fuseEvidence(passages: readonly Passage[], options: EvidenceOptions): FusedPassage[] {
  const { termCount, hasText, keyword, semantic } = options;
  const byChunk = Map.groupBy(passages.keys(), (index) => passages[index]!.chunk.id);
  const weigh = weighCandidates(passages, options);
  const evidence: (Omit<FusedPassage, "score"> & { readonly value: number })[] = [];
  for (const [id, indexes] of byChunk) {
    for (const [nth, index] of indexes.entries()) {
      const passage = passages[index]!;
      const text = hasText ? weigh(passage.score, keyword.ids.has(id)) : 0;
      const bySimilarity = semantic.evidenceOf(passage);
      const isPlacedAnew = nth === 0 && bySimilarity > text;
      // Counted from the least that there can be, so that what is below chance keeps its order, too.
      evidence.push({ index, value: text + bySimilarity + semantic.against, isPlacedAnew });
      // One passage then stands for the chunk.
      if (isPlacedAnew) break;
    }
  }
  if (!hasText) {
    // There is nothing else to ask, so the best one is an answer, and what is like it is not cut off.
    const most = Math.max(0, ...evidence.map(({ value }) => value));
    const bestScore = Math.max(aboutScore, surpriseScore(semantic.surprise));
    const border = semantic.against + vectorShare * Math.max(0, most - semantic.against);
    return toScores(evidence, { border, bestScore });
  }
  const bestText = Math.max(0, ...passages.map(({ score }) => score));
  const border = Math.max(minEvidence, weigh(minShare * bestText, true));
  const [byWords = 0] = calibrateScores([bestText], termCount);
  return toScores(evidence, {
    border,
    bestScore: Math.max(byWords, surpriseScore(semantic.surprise)),
  });
}

function weighCandidates(
  passages: readonly Passage[],
  { keyword, totalChunks }: Pick<EvidenceOptions, "keyword" | "totalChunks">,
): KeywordEvidence {
  const best = new Map<number, number>();
  for (const { chunk, score } of passages) {
    if (keyword.ids.has(chunk.id)) best.set(chunk.id, Math.max(score, best.get(chunk.id) ?? 0));
  }
  return weighKeywords([...best.values()], { totalChunks, isComplete: keyword.isComplete });
}

/** How likely it is, as a share of what the candidates have, that the answer is none of them. */
const missedShare = 0.3;

/**
 * For each strength that an embedder might have, how much likelier its similarities are than by chance, if the answer is
 * where keywords say. Only keyword candidates count: those of semantic search were chosen for being similar.
 */
export function compareStrengths(
  passages: readonly Passage[],
  { totalChunks, keyword, semantic }: Pick<EvidenceOptions, "totalChunks" | "keyword" | "semantic">,
  shifts: readonly number[],
): number[] {
  const weigh = weighCandidates(passages, { totalChunks, keyword });
  const candidates = new Map<number, { readonly odds: number; readonly deviations: number }>();
  for (const passage of passages) {
    const { id } = passage.chunk;
    if (!keyword.ids.has(id) || candidates.has(id)) continue;
    const odds = Math.exp(weigh(passage.score, true));
    candidates.set(id, { odds, deviations: semantic.deviationsOf(passage) });
  }
  const all = [...candidates.values()];
  const found = all.reduce((sum, { odds }) => sum + odds, 0);
  const others = missedShare * found + Math.max(0, totalChunks - all.length);
  return shifts.map((shift) => {
    const likelihood = all.reduce(
      (sum, { odds, deviations }) => sum + odds * likelihoodRatio(deviations, shift),
      0,
    );
    return (likelihood + others) / (found + others);
  });
}

/** A chunk with less of the best evidence than this is no more similar than most. */
const vectorShare = 0.05;
/** Less than this is what any chunk may have. */
const minEvidence = 0.5;

function toScores(
  evidence: readonly (Omit<FusedPassage, "score"> & { readonly value: number })[],
  { border, bestScore }: { border: number; bestScore: number },
): FusedPassage[] {
  const best = evidence.reduce((most, { value }) => Math.max(most, value), 0);
  const scoreOf = (value: number): number => {
    if (best === 0) return 0;
    if (bestScore < aboutScore || best <= border) return (bestScore * value) / best;
    if (value < border) return (aboutScore * value) / border;
    return aboutScore + ((bestScore - aboutScore) * (value - border)) / (best - border);
  };
  return evidence.map(({ value, ...fused }) => ({ ...fused, score: scoreOf(value) }));
}

/** When chance alone would give a chunk as similar, similarity says nothing about whether memory has an answer. */
function surpriseScore(surprise: number): number {
  return surprise <= 0 ? 0 : aboutScore + (1 - aboutScore) * -Math.expm1(-surprise / 8);
}

/** A question whose best passage scores less than this is most likely not answered in memory. */
export const aboutScore = 0.35;
/** The raw score that stands for it, for a question of three words or fewer. */
const aboutRaw = 0.11;
/** A passage this much weaker than the best is noise beside it. */
const minScoredShare = 0.3;
const exponent = Math.log(aboutScore) / Math.log(aboutRaw);

/** The best score by meaning, and what the best would reach by chance. */
interface SemanticEvidence {
  readonly best: number;
  readonly chance: number;
}

const noSemanticEvidence: SemanticEvidence = { best: 0, chance: 1 };

/**
 * Puts raw scores on the scale that `minScore` speaks of.
 *
 * The best one says how well memory answers the question at all. A long question is never matched in every word, so its
 * raw score counts more, up to twice. Then a power curve moves the border between "about this" and "not in memory",
 * found on questions asked of the wrong notes, to 0.35. When the best is above the border the others follow in
 * proportion to it, between the border and the best: whether something is in memory is decided by the best passage,
 * and what stands behind it may be the half that a question is also about.
 */
export function calibrateScores(
  raw: readonly number[],
  termCount: number,
  semantic = noSemanticEvidence,
): number[] {
  const lengthFactor = Math.min(2, Math.max(1, Math.sqrt(termCount / 3)));
  const curve = (value: number): number => Math.min(1, Math.max(0, value) * lengthFactor) ** exponent;
  const best = raw.reduce((most, value) => Math.max(most, value), 0);
  const bestScore = Math.max(curve(best), semanticCurve(semantic));
  if (best === 0 || bestScore < aboutScore) return raw.map(curve);
  return raw.map((value) => {
    const share = Math.max(0, value) / best;
    if (share < minScoredShare) return (aboutScore * share) / minScoredShare;
    return aboutScore + ((bestScore - aboutScore) * (share - minScoredShare)) / (1 - minScoredShare);
  });
}

/** Where no word of the question is in memory, meaning decides: the border is at what chance would reach. */
function semanticCurve({ best, chance }: SemanticEvidence): number {
  const border = Math.min(0.95, Math.max(0.05, chance));
  return best < border ? 0 : aboutScore + ((1 - aboutScore) * (best - border)) / (1 - border);
}
