/** The similarities to a query: those of the best chunks in descending order, and the median. */
export interface Similarities {
  readonly best: readonly number[];
  readonly median: number;
  readonly totalChunks: number;
}

/** With fewer chunks there is no background to estimate: half of them may be answers. */
export const enoughChunks = 20;
/** Typical similarity of unrelated texts and its spread, for indexes that are too small to measure them. */
const usual = { median: 0.05, spread: 0.09 };

/**
 * If many chunks share a part, such as a common heading, its similarity is that of most of them, and they seem to vary
 * less than they do. No query has a much smaller spread than others.
 */
const minSpreadShare = 0.7;
/** How much the spread of one query differs from that of another, as a fraction. */
const spreadVariation = 0.1;

/** Converts similarities to standard deviations above the median. */
export function standardise(all: Similarities, usualSpread: number): (similarity: number) => number {
  const { best, median, totalChunks } = all;
  if (totalChunks < enoughChunks || best.length === 0) {
    const middle = Math.min(median, usual.median);
    return (similarity) => (similarity - middle) / usual.spread;
  }
  const spread = usualSpread === 0 ? spreadOf(all) : pooledSpread(all, usualSpread);
  return (similarity) => (similarity - median) / spread;
}

/**
 * A few hundred chunks show the spread of one query only roughly, and if it seems too small, chance looks like an
 * answer. So it is moved towards the usual spread, the further the less certain it is.
 */
function pooledSpread(all: Similarities, usualSpread: number): number {
  const certainty = spreadVariation ** 2 / (spreadVariation ** 2 + spreadError(all) ** 2);
  return usualSpread * Math.max(minSpreadShare, (spreadOf(all) / usualSpread) ** certainty);
}

/** Standard error of `spreadOf`, as a fraction: that of the difference of two quantiles of a normal distribution. */
function spreadError({ best, totalChunks }: Similarities): number {
  const share = (comparedRank(best, totalChunks) - 0.5) / totalChunks;
  const deviation = deviationAt(share);
  const atMedian = density(0);
  const atRank = density(deviation);
  const variance = (share * (1 - share)) / atRank ** 2 + 0.25 / atMedian ** 2 - share / (atRank * atMedian);
  return Math.sqrt(variance / totalChunks) / deviation;
}

function comparedRank(best: readonly number[], totalChunks: number): number {
  return Math.min(best.length, Math.round(totalChunks / 5));
}

/** The standard deviation of the upper half, estimated at a rank that answers seldom reach. */
export function spreadOf({ best, median, totalChunks }: Similarities): number {
  const rank = comparedRank(best, totalChunks);
  return Math.max(((best[rank - 1] ?? median) - median) / deviationAt((rank - 0.5) / totalChunks), 1e-4);
}

/**
 * Keyword evidence as a deviation of its own: that of a normal distribution whose density is e to the minus evidence of
 * its highest. So keywords and similarity of unrelated chunks are a pair of normal variables with a correlation, which
 * is the slope of one on the other.
 */
export function keywordDeviations(evidence: number): number {
  return Math.sqrt(2 * Math.max(0, evidence));
}

/** A chunk by both searches, in standard deviations. */
export interface ChunkDeviations {
  readonly keyword: number;
  readonly similarity: number;
}

/** Similarity must still be able to tell chunks apart. */
const maxCorrelation = 0.95;
/** The usual correlation of an embedder has the weight of this many chunks. */
const usualCorrelationChunks = 20;
/** A chunk with fewer keyword deviations shows nothing. */
const minKeywordDeviations = 0.3;

/**
 * How far similarity follows keywords among the chunks that keyword search found for a query. An embedder that finds
 * the same words must not count as a second witness. The line through the origin with the least absolute error is
 * hardly moved by a few answers, which are more similar than their keywords explain.
 */
export function correlate(chunks: readonly ChunkDeviations[], usualCorrelation: number): number {
  const slopes = chunks
    .filter(({ keyword }) => keyword >= minKeywordDeviations)
    .map(({ keyword, similarity }) => ({ slope: similarity / keyword, weight: keyword }))
    .sort((a, b) => a.slope - b.slope);
  let left = slopes.reduce((sum, { weight }) => sum + weight, 0) / 2;
  const middle = slopes.find(({ weight }) => {
    left -= weight;
    return left <= 0;
  });
  const own = slopes.length * (middle?.slope ?? 0);
  const slope = (own + usualCorrelationChunks * usualCorrelation) / (slopes.length + usualCorrelationChunks);
  return Math.min(maxCorrelation, Math.max(0, slope));
}

/** The density of the normal distribution. */
export function density(deviation: number): number {
  return 0.3989423 * Math.exp(-(deviation ** 2) / 2);
}

/** ln of the upper tail of the normal distribution (Abramowitz and Stegun 26.2.17; asymptotic expansion far out). */
export function lnUpperTail(z: number): number {
  if (z >= 5) return -(z * z) / 2 - Math.log(z) - 0.9189;
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const tail =
    0.3989423 *
    Math.exp((-z * z) / 2) *
    t *
    (0.3193815 + t * (-0.3565638 + t * (1.781478 + t * (-1.821256 + t * 1.330274))));
  return Math.log(z >= 0 ? tail : 1 - tail);
}

/** The z that is exceeded with this probability, below a half (Abramowitz and Stegun 26.2.22). */
export function deviationAt(share: number): number {
  const t = Math.sqrt(-2 * Math.log(Math.min(0.49, share)));
  return t - (2.30753 + 0.27061 * t) / (1 + 0.99229 * t + 0.04481 * t * t);
}
