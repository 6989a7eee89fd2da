import { sha256 } from "../text/hash.ts";
import { minShift, type WeighedStrength } from "./evidence.ts";

/**
 * Learns from the questions how strong an embedder is. One question tells little: among many chunks, noise lifts some as
 * high as an answer. But where similarity singles out what keywords favour, question after question, that is no chance.
 */
export interface StrengthLearner {
  readonly strengths: readonly WeighedStrength[];
  /** How many of the answers it does not see, 0..1. Its silence on a chunk tells the less, the more it misses. */
  readonly missedShare: number;
  /**
   * `likelihoods` has for each of the strengths how much likelier the similarities to this question are than by chance.
   * A question that was asked before tells nothing new.
   */
  learn(question: string, likelihoods: readonly number[]): void;
}

/** Until questions have been asked, most of the belief is in chance. */
const prior: readonly WeighedStrength[] = [
  { shift: 0, weight: 0.9 },
  ...[1, 1.5, 2, 2.75, 3.5, 5, 7, 9].map((shift) => ({ shift, weight: 0.1 / 8 })),
];
/** Questions are not independent of each other, so each counts a little less. */
const tempering = 0.7;
/** What is forgotten with each question, so that no belief becomes final. */
const forgotten = 0.02;
/** Until questions have been asked, this many of so many are taken to be missed. */
const assumed = { missed: 1, asked: 5 };
const maxRemembered = 1000;

export function createStrengthLearner(): StrengthLearner {
  let strengths = prior;
  let counted = assumed;
  const asked = new Set<string>();
  return {
    get strengths() {
      return strengths;
    },
    get missedShare() {
      return counted.missed / counted.asked;
    },
    learn(question, likelihoods) {
      const hash = sha256(question);
      if (asked.has(hash)) return;
      if (asked.size >= maxRemembered) asked.clear();
      asked.add(hash);
      const beliefs = strengths.map(({ weight }, i) => weight * likelihoods[i]! ** tempering);
      const sum = beliefs.reduce((total, belief) => total + belief, 0);
      if (!(sum > 0 && Number.isFinite(sum))) return;
      strengths = prior.map(({ shift, weight }, i) => ({
        shift,
        weight: ((1 - forgotten) * beliefs[i]!) / sum + forgotten * weight,
      }));
      let [strong, seen] = [0, 0];
      for (const [i, { shift, weight }] of strengths.entries()) {
        if (shift < minShift) continue;
        strong += weight;
        seen += weight * likelihoods[i]!;
      }
      // Of a weak embedder, a question tells nothing about what a strong one would miss.
      const share = counted.missed / counted.asked;
      const missed = (strong * share) / (share + ((1 - share) * seen) / strong);
      if (Number.isFinite(missed))
        counted = { missed: counted.missed + missed, asked: counted.asked + strong };
    },
  };
}
