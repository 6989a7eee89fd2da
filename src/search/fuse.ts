/** One chunk's score on each side; null where that side cannot judge it, e.g. it has no vector yet. */
export interface Standing {
  readonly text: number | null;
  readonly vector: number | null;
}

export interface FusionOptions {
  readonly fusion: "weighted" | "rrf";
  /** Sum to 1. */
  readonly vectorWeight: number;
  readonly textWeight: number;
  /** Whether each side answered at all; a side that did not has no say. */
  readonly hasText: boolean;
  readonly hasVector: boolean;
}

/** Rank at which a position counts half as much as the first: the usual constant of reciprocal rank fusion. */
const rankOffset = 60;

/**
 * Joins both sides' scores into one in 0..1, in the order of the input.
 *
 * A side that could not answer leaves the other's score whole, and so does one that cannot judge a single chunk: its
 * silence is not a low mark. (A chunk that only one side listed is still judged by the other before it comes here.)
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

/** By position instead of score. */
function fuseRanks(standings: readonly Standing[], options: FusionOptions): number[] {
  const texts = scoreRanks(standings.map(({ text }) => text));
  const vectors = scoreRanks(standings.map(({ vector }) => vector));
  return standings.map((_, i) => blend({ text: texts[i]!, vector: vectors[i]! }, options));
}

/** 1 for the best, less with every rank; equal scores share a rank. */
function scoreRanks(scores: readonly (number | null)[]): (number | null)[] {
  const sorted = [...new Set(scores.filter((score) => score !== null))].sort((a, b) => b - a);
  const scoreOf = new Map(sorted.map((score, i) => [score, (rankOffset + 1) / (rankOffset + i + 1)]));
  return scores.map((score) => (score === null ? null : scoreOf.get(score)!));
}
