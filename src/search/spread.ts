import { density, deviationAt } from "./normal-distribution.ts";

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
