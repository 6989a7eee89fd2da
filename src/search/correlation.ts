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
