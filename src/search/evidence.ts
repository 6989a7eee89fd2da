/**
 * Both searches score on scales of their own, and how far a similarity can be trusted depends on the embedder, the
 * notes and the question. So neither scale is compared with the other. Each side is asked instead how surprising a score
 * would be if the chunk had nothing to do with the question: how many such chunks are expected to reach it. The
 * logarithms of these figures are evidence on one scale (nats) and may be added, whatever the scores looked like.
 */

/** −ln of the number of unrelated chunks that are expected to reach a score. */
export type Surprise = (score: number) => number;

/** The first ranks may be answers, and must not make the background look wide. */
const skippedRanks = 3;
const tailRanks = 30;
/** Beyond this surprise a keyword score tells less and less: unrelated chunks share rare words, too. */
const keywordKnee = 2;
/**
 * What a nat of surprise is worth, and a score beside the best one of the question: the fit of where answers are among
 * the candidates of ten sets, rounded towards the plain sum.
 */
const surpriseWorth = 0.9;
const relativeToBest = 1.5;

/** Evidence for a chunk by its keyword score; a chunk outside the candidates was found too weak to be one of them. */
export type KeywordEvidence = (score: number, isCandidate: boolean) => number;

/**
 * `scores` are the best of each keyword candidate. `isComplete` says that no other chunk has a word of the question, so
 * that the background goes on with zeros.
 */
export function weighKeywords(
  scores: readonly number[],
  { totalChunks, isComplete }: { totalChunks: number; isComplete: boolean },
): KeywordEvidence {
  const sorted = scores.toSorted((a, b) => b - a);
  const best = sorted[0] ?? 0;
  const length = isComplete ? Math.min(Math.max(totalChunks, sorted.length), tailRanks + 1) : sorted.length;
  while (sorted.length < length) sorted.push(0);
  const surprise = fitTail(sorted, { depth: tailRanks, minScale: best / 20 });
  const prior = Math.log(Math.max(2, totalChunks));
  // All that is known of the others is that they rank behind the candidates: they are taken half way down.
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
 * An exponential tail through the ranks below the first few. For scores of words and of real embedders that describes
 * the best unrelated chunks well, however wide they are spread.
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

/** What a question's similarities look like: those of the best chunks, best first, and that of an ordinary one. */
export interface Similarities {
  readonly best: readonly number[];
  readonly median: number;
  readonly totalChunks: number;
}

export interface SemanticEvidence {
  /** Evidence for a chunk by its similarity; below 0, a strong embedder speaks against it. */
  of(similarity: number): number;
  /** The most that a similarity can say against a chunk. */
  readonly against: number;
  /** A similarity in standard deviations above the middle. */
  deviations(similarity: number): number;
  /** How far the best one is above chance: −ln of the number of unrelated chunks expected to reach it. */
  readonly surprise: number;
}

/** What is believed of an embedder. */
export interface EmbedderTrust {
  /** How well it was seen to know the notes, 0..1: see `embedder-check.ts`. */
  readonly understanding: number;
  /** How strong it may be, for what `understanding` leaves open: see `embedder-strength.ts`. */
  readonly strengths: readonly WeighedStrength[];
  /** How many of the answers it does not see, 0..1. */
  readonly missedShare: number;
  /** How far the similarities of unrelated chunks usually scatter; 0 while that is not known. */
  readonly usualSpread: number;
}

export interface WeighedStrength {
  /** By how many standard deviations an answer is more similar than other chunks, on average. */
  readonly shift: number;
  /** How likely that is. All together are 1. */
  readonly weight: number;
}

/** With fewer chunks there is no background to speak of: half of them may be answers. */
const enoughChunks = 20;
/** The usual similarity of unrelated texts and its spread, where the notes are too few to tell. */
const usual = { median: 0.05, spread: 0.09 };
/** What a standard deviation and what a place above the tail are worth for an embedder that reads the notes. */
const slope = 0.2;
const tailShare = 0.5;
const semanticKnee = 7;
/** What a weaker embedder says is right, on average, but disturbs keywords more than it helps them. */
export const minShift = 2.2;
/** Enough to keep chunks in order that are no evidence either way. */
const orderShare = 0.001;

/**
 * An embedder that understands the notes gives related text high similarities, whether or not it answers: its best chunks
 * are spread out, so a place far above the middle earns little, and one above the other best ones a little more. Of one
 * that was not seen to understand, similarities may be noise. Then the likelihood of each under noise is compared with
 * that under an embedder of some strength, and how strong it is has to be learned. A random embedder therefore adds next
 * to nothing, and a good one is heard.
 */
export function weighSimilarities(all: Similarities, trust: EmbedderTrust): SemanticEvidence {
  const share = all.totalChunks < enoughChunks ? 0 : trust.understanding;
  const deviations = standardise(all, trust.usualSpread);
  const depth = Math.max(10, Math.min(39, Math.round(all.totalChunks / 5)));
  const tail = all.best.length > 10 ? fitTail(all.best, { depth, minScale: 1e-6 }) : () => -20;
  const weak = trust.strengths.reduce((sum, { shift, weight }) => sum + (shift < minShift ? weight : 0), 0);
  // A chunk that a strong embedder finds unlike the question is an answer only if that is one of those it misses.
  const unlike = weak + trust.missedShare * (1 - weak);
  return {
    deviations,
    surprise: -Math.log(Math.max(2, all.totalChunks)) - lnUpperTail(deviations(all.best[0] ?? -1)),
    against: (1 - share) * -Math.log(unlike),
    of(similarity) {
      const above = deviations(similarity);
      const related = 8 * -Math.expm1(-Math.max(0, above) / 8);
      const known = slope * related + tailShare * softplus(tail(similarity));
      const seen = trust.strengths.reduce(
        (sum, { shift, weight }) => sum + (shift < minShift ? 0 : weight * likelihoodRatio(above, shift)),
        0,
      );
      const likely = unlike + (1 - trust.missedShare) * seen;
      const proven = Math.log(likely) + orderShare * softplus(above);
      const bounded = proven <= semanticKnee ? proven : semanticKnee + 0.4 * (proven - semanticKnee);
      return share * known + (1 - share) * bounded;
    },
  };
}

/** Answers are not all lifted alike: a chunk about many things is less similar to a question about one of them. */
const shiftSpread = [0.75, 1, 1.25];

/** How much likelier a deviation is for an answer than for another chunk, by an embedder of this strength. */
export function likelihoodRatio(deviations: number, shift: number): number {
  let sum = 0;
  for (const share of shiftSpread) {
    const own = share * shift;
    sum += Math.exp(own * Math.min(12, deviations) - (own * own) / 2);
  }
  return sum / shiftSpread.length;
}

/**
 * Where many chunks share a part, such as a heading that all notes have, its similarity is that of most of them, and they
 * seem to scatter less than they do. No question has much less of a spread than others.
 */
const minSpreadShare = 0.7;

/** In standard deviations above the middle. */
export function standardise(all: Similarities, usualSpread: number): (similarity: number) => number {
  const { best, median, totalChunks } = all;
  if (totalChunks < enoughChunks || best.length === 0) {
    const middle = Math.min(median, usual.median);
    return (similarity) => (similarity - middle) / usual.spread;
  }
  const spread = Math.max(spreadOf(all), minSpreadShare * usualSpread);
  return (similarity) => (similarity - median) / spread;
}

/** The standard deviation of the better half, by a rank that answers seldom reach. */
export function spreadOf({ best, median, totalChunks }: Similarities): number {
  const rank = Math.min(best.length, Math.round(totalChunks / 5));
  return Math.max(((best[rank - 1] ?? median) - median) / deviationAt((rank - 0.5) / totalChunks), 1e-4);
}

/** ln(1 + e^x). */
function softplus(x: number): number {
  return x > 30 ? x : Math.log1p(Math.exp(x));
}

/** ln of the share of a normal distribution above z (Abramowitz and Stegun 26.2.17; its expansion far out). */
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

/** The z that this share of a normal distribution exceeds (Abramowitz and Stegun 26.2.22), for shares below a half. */
function deviationAt(share: number): number {
  const t = Math.sqrt(-2 * Math.log(Math.min(0.49, share)));
  return t - (2.30753 + 0.27061 * t) / (1 + 0.99229 * t + 0.04481 * t * t);
}
