import { deviationAt, enoughChunks, lnUpperTail, type Similarities, standardise } from "./deviations.ts";

/**
 * Keyword and semantic search score on different scales, and how far a similarity can be trusted depends on the
 * embedder, the notes and the query. So the scales are never compared. Instead, each score is turned into how
 * surprising it would be for an unrelated chunk: how many unrelated chunks are expected to reach it. The logarithms of
 * these numbers are evidence on one scale (nats) and can be added.
 */

/** −ln of the number of unrelated chunks expected to reach a score. */
type Surprise = (score: number) => number;

/** The first ranks may be answers and must not widen the background. */
const skippedRanks = 3;
const tailRanks = 30;
/** Beyond this surprise a keyword score gains less and less, because unrelated chunks share rare words too. */
const keywordKnee = 2;
/**
 * Weights of a nat of surprise and of the score relative to the best: fitted to the ranks of answers in ten evaluation
 * sets, and rounded towards the plain sum.
 */
const surpriseWorth = 0.9;
const relativeToBest = 1.5;

/** Evidence for a chunk from its keyword score; a chunk that is not a candidate scored too low to be one. */
type KeywordEvidence = (score: number, isCandidate: boolean) => number;

/**
 * `scores` are the best of each keyword candidate. `isComplete` means that no other chunk has a word of the query, so
 * the background continues with zeros.
 */
export function estimateKeywordEvidence(
  scores: readonly number[],
  { totalChunks, isComplete }: { totalChunks: number; isComplete: boolean },
): KeywordEvidence {
  const sorted = scores.toSorted((a, b) => b - a);
  const best = sorted[0] ?? 0;
  const length = isComplete ? Math.min(Math.max(totalChunks, sorted.length), tailRanks + 1) : sorted.length;
  while (sorted.length < length) sorted.push(0);
  const surprise = fitTail(sorted, { depth: tailRanks, minScale: best / 20 });
  const prior = Math.log(Math.max(2, totalChunks));
  // The other chunks are only known to rank below the candidates; assume the middle.
  const behind = scores.length + 1;
  const outside = isComplete
    ? Number.POSITIVE_INFINITY
    : -Math.log(behind) - Math.max(0, Math.log(totalChunks / behind)) / 2;
  return (score, isCandidate) => {
    if (!(score > 0)) return 0;
    const bounded = Math.min(surprise(score), isCandidate ? Number.POSITIVE_INFINITY : outside);
    const evidence = softplus(
      surpriseWorth * (bounded + prior) + relativeToBest * Math.log(score / Math.max(best, score)),
    );
    const knee = prior + keywordKnee;
    return evidence <= knee ? evidence : knee + 2.5 * Math.log1p((evidence - knee) / 5);
  };
}

/**
 * Fits an exponential tail to the ranks below the first few. It describes the best unrelated chunks well, both for
 * keyword scores and for real embedders.
 */
export function fitTail(
  sorted: ArrayLike<number>,
  { depth, minScale }: { depth: number; minScale: number },
): Surprise {
  const last = Math.min(sorted.length - 1, depth);
  const first = Math.max(0, Math.min(skippedRanks, last - 1));
  const border = sorted[Math.max(0, last)] ?? 0;
  let [excess, expected] = [0, 0];
  for (let rank = first; rank < last; rank++) {
    excess += sorted[rank]! - border;
    expected += Math.log((last + 0.5) / (rank + 0.5));
  }
  const scale = Math.max(expected > 0 ? excess / expected : 0, minScale, 1e-9);
  const level = Math.log(Math.max(0, last) + 0.5);
  return (score) => (score - border) / scale - level;
}

interface SemanticEvidence {
  /** Evidence for a chunk from its keywords and its similarity together. A similarity of null is the lowest of all. */
  combine(keywords: KeywordFinding, similarity: number | null): number;
  /** How much likelier a similarity is for the answer than for another chunk, if the embedder has no proved strength. */
  unprovedRatio(similarity: number, explained: number): number;
  /**
   * A similarity in standard deviations above the median, as if unrelated chunks were normally distributed, without the
   * deviations that keywords explain.
   */
  deviations(similarity: number, explained: number): number;
  /** Surprise of the best chunk: −ln of the number of unrelated chunks expected to reach it. */
  readonly surprise: number;
}

/** What keywords say of a chunk. */
export interface KeywordFinding {
  /** How much likelier it is the answer than an average chunk. */
  readonly odds: number;
  /** Standard deviations of its similarity that its keywords explain; see `correlate`. */
  readonly explained: number;
}

/** How far an embedder is trusted. */
export interface EmbedderTrust {
  /** How well it knows the notes, 0..1; see `embedder-check.ts`. */
  readonly understanding: number;
  /** Its possible strengths, and first that it has none beyond its understanding; see `embedder-strength.ts`. */
  readonly strengths: readonly PossibleStrength[];
  /** Typical standard deviation of the similarities of unrelated chunks; 0 while unknown. */
  readonly usualSpread: number;
  /** Standard deviations by which the best unrelated chunk is usually above the median; 0 while unknown. */
  readonly reach: number;
}

export interface PossibleStrength {
  /** Mean standard deviations by which an answer is more similar than other chunks. */
  readonly shift: number;
  /** Fraction of answers that are no more similar than other chunks, 0..1. */
  readonly missed: number;
  /** Fraction of queries whose keywords say nothing about where the answer is, 0..1. */
  readonly misled: number;
  /** Its probability; they sum to 1. */
  readonly weight: number;
}

/** Weights of a standard deviation and of a rank above the tail, for an embedder that understands the notes. */
const slope = 0.2;
const tailShare = 0.5;
/** Where all others are equally similar, one chunk may be any number of ranks above them. */
const maxNats = 30;
/** Mean ratio of the chunks that are not among the best. */
const usualRelated = 1.08;
const semanticKnee = 7;
/** Ranks that are compared to see how far unrelated chunks reach. */
const comparedRanks = 40;
/** The best of n values is expected where a fraction of about this / n is higher: e to the minus Euler's constant. */
const bestShare = 0.5615;
/** Just enough to order chunks that have no evidence either way. */
const orderShare = 0.001;

/**
 * An embedder that understands the notes gives related text a high similarity whether or not it answers the query. Its
 * best chunks are spread out, so being far above the median earns little, and being above the other best chunks a
 * little more. If an embedder has not been shown to understand the notes, its similarities may be noise and earn
 * nothing. Either may prove stronger than that: then the likelihood of each similarity for an answer is compared with
 * that for another chunk, under every strength that the queries so far allow, and a chunk that is not similar is an
 * answer only if it is one of those that the embedder misses. Keywords are not always right either: what they say
 * counts only for the queries that they do not mislead.
 */
export function estimateSemanticEvidence(all: Similarities, trust: EmbedderTrust): SemanticEvidence {
  const share = all.totalChunks < enoughChunks ? 0 : trust.understanding;
  const deviations = standardise(all, trust.usualSpread);
  const calibrate = createCalibration({ reach: trust.reach, totalChunks: all.totalChunks });
  const calibrated = (similarity: number, explained: number): number =>
    calibrate(deviations(similarity) - explained);
  const ratioOf = compareRelated(all.best.map(deviations), { totalChunks: all.totalChunks, share });
  const unprovedRatio = (similarity: number, explained: number): number =>
    ratioOf(deviations(similarity) - explained);
  const believed = sumBeliefs(trust.strengths);
  const surpriseOf = (above: number): number => -Math.log(Math.max(2, all.totalChunks)) - lnUpperTail(above);
  const best = all.best[0] ?? -1;
  return {
    deviations: calibrated,
    unprovedRatio,
    surprise: share * surpriseOf(deviations(best)) + (1 - share) * surpriseOf(calibrated(best, 0)),
    combine({ odds, explained }, similarity) {
      const { unproved, missed, seen } = believed;
      const lowest = unprovedRatio(similarity ?? Number.NEGATIVE_INFINITY, explained);
      let guided = unproved.guided * lowest + missed.guided;
      let misled = unproved.misled * lowest + missed.misled;
      if (similarity === null) return Math.log(guided * odds + misled);
      for (const [shift, belief] of seen) {
        const ratio = boundRatio(likelihoodRatio(calibrated(similarity, explained), shift));
        guided += belief.guided * ratio;
        misled += belief.misled * ratio;
      }
      return Math.log(guided * odds + misled) + orderShare * softplus(deviations(similarity));
    },
  };
}

/** A probability, divided by whether keywords guide to the answer or mislead. */
interface Belief {
  guided: number;
  misled: number;
}

/** The probabilities that the embedder is of no use, misses the answer, or sees it, by strength. */
function sumBeliefs(strengths: readonly PossibleStrength[]): {
  readonly unproved: Belief;
  readonly missed: Belief;
  readonly seen: ReadonlyMap<number, Belief>;
} {
  const unproved = { guided: 0, misled: 0 };
  const missed = { guided: 0, misled: 0 };
  const seen = new Map<number, Belief>();
  const add = (belief: Belief, weight: number, misled: number): void => {
    belief.guided += weight * (1 - misled);
    belief.misled += weight * misled;
  };
  for (const { shift, missed: missedShare, misled, weight } of strengths) {
    if (shift === 0) add(unproved, weight, misled);
    else {
      add(missed, weight * missedShare, misled);
      const belief = seen.get(shift) ?? { guided: 0, misled: 0 };
      seen.set(shift, belief);
      add(belief, weight * (1 - missedShare), misled);
    }
  }
  return { unproved, missed, seen };
}

function boundRatio(ratio: number): number {
  const nats = Math.log(ratio);
  return nats <= semanticKnee ? ratio : Math.exp(semanticKnee + 0.4 * (nats - semanticKnee));
}

/** The ratio for an embedder that finds related text, to the degree of `share`; 1 for one that may return noise. */
function compareRelated(
  best: readonly number[],
  { totalChunks, share }: { totalChunks: number; share: number },
): (deviations: number) => number {
  if (share === 0) return () => 1;
  const depth = Math.max(10, Math.min(39, Math.round(totalChunks / 5)));
  const tail = best.length > 10 ? fitTail(best, { depth, minScale: 1e-4 }) : () => -20;
  const ratioOf = (deviations: number): number => {
    const related = 8 * -Math.expm1(-Math.max(0, deviations) / 8);
    return Math.exp(Math.min(maxNats, share * (slope * related + tailShare * softplus(tail(deviations)))));
  };
  // The mean over all chunks must be 1.
  const others = Math.max(0, totalChunks - best.length);
  const sum = best.reduce((total, deviations) => total + ratioOf(deviations), others * usualRelated ** share);
  return (deviations) => (ratioOf(deviations) * totalChunks) / sum;
}

/**
 * Unrelated chunks reach further than a normal distribution says where a chunk has several vectors, because the best of
 * them counts, or where some chunks are similar to everything. What exceeds the border of the best ranks is scaled so
 * that the best unrelated chunk is where it would be expected.
 */
function createCalibration({
  reach,
  totalChunks,
}: {
  reach: number;
  totalChunks: number;
}): (deviations: number) => number {
  const border = deviationAt((Math.min(comparedRanks, Math.round(totalChunks / 5)) - 0.5) / totalChunks);
  const expected = deviationAt(bestShare / totalChunks);
  if (totalChunks < enoughChunks || reach <= expected) return (above) => above;
  const factor = (expected - border) / (reach - border);
  return (above) => (above <= border ? above : border + factor * (above - border));
}

/** Answers vary: a chunk about many things is less similar to a query about one of them. */
const shiftSpread = [0.4, 0.7, 1, 1.3, 1.6];

/** How much likelier it is for an answer than for another chunk to be below a deviation. */
export function likelihoodBelow(deviations: number, shift: number): number {
  const below = (z: number): number => -Math.expm1(lnUpperTail(z));
  const sum = shiftSpread.reduce((total, share) => total + below(deviations - share * shift), 0);
  return sum / shiftSpread.length / below(deviations);
}

/** How much likelier a deviation is for an answer than for another chunk, with an embedder of this strength. */
export function likelihoodRatio(deviations: number, shift: number): number {
  let sum = 0;
  for (const share of shiftSpread) {
    const own = share * shift;
    sum += Math.exp(own * Math.min(12, deviations) - (own * own) / 2);
  }
  return sum / shiftSpread.length;
}

/** ln(1 + e^x). */
function softplus(x: number): number {
  return x > 30 ? x : Math.log1p(Math.exp(x));
}
