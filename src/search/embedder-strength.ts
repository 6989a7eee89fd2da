import type { Store } from "../stores/store.ts";
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
  /** What the next process can go on with. */
  readonly learned: LearnedStrength;
}

export interface LearnedStrength {
  /** How likely each of the strengths is. */
  readonly weights: readonly number[];
  readonly missed: number;
  readonly asked: number;
  /** Hashes of the latest questions. */
  readonly questions: readonly string[];
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
/** As many questions as what is missed is counted over. */
const maxAsked = 200;
const maxRemembered = 1000;
const maxKept = 100;
const hashChars = 12;

export function createStrengthLearner(before: LearnedStrength | null = null): StrengthLearner {
  let strengths = prior.map(({ shift, weight }, i) => ({ shift, weight: before?.weights[i] ?? weight }));
  let counted = { missed: before?.missed ?? assumed.missed, asked: before?.asked ?? assumed.asked };
  const asked = new Set<string>(before?.questions);
  return {
    get strengths() {
      return strengths;
    },
    get missedShare() {
      return counted.missed / counted.asked;
    },
    get learned() {
      const weights = strengths.map(({ weight }) => weight);
      return { weights, ...counted, questions: [...asked].slice(-maxKept) };
    },
    learn(question, likelihoods) {
      const hash = sha256(question).slice(0, hashChars);
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
      if (!Number.isFinite(missed)) return;
      const kept = Math.min(1, maxAsked / (counted.asked + strong));
      counted = { missed: kept * (counted.missed + missed), asked: kept * (counted.asked + strong) };
    },
  };
}

/** Null for what another version wrote, or a hand: it is learned anew. */
function parseLearnedStrength(json: string | null): LearnedStrength | null {
  if (json === null) return null;
  try {
    const { weights, missed, asked, questions } = JSON.parse(json);
    const isPositive = (value: unknown): boolean => Number.isFinite(value) && (value as number) > 0;
    const isWhole =
      [weights, questions].every(Array.isArray) &&
      weights.length === prior.length &&
      [...weights, missed, asked].every(isPositive) &&
      missed <= asked &&
      questions.every((each: unknown) => typeof each === "string");
    if (!isWhole) return null;
    const sum = weights.reduce((total: number, weight: number) => total + weight, 0);
    return { weights: weights.map((weight: number) => weight / sum), missed, asked, questions };
  } catch {
    return null;
  }
}

/** A learner for each embedder. What they learn is kept in the index: most processes ask a question or two. */
export interface StrengthLearners {
  get(embedderId: string): Promise<StrengthLearner>;
  /** Writes down what was learned since, when that is worth a write. */
  keep(embedderId: string): Promise<void>;
}

/** Every write makes other processes look at the index again, so belief has to move by this share. */
const worthWriting = 0.1;

export function createStrengthLearners(store: Pick<Store, "readFact" | "writeFact">): StrengthLearners {
  const learners = new Map<string, { readonly learner: StrengthLearner; kept: LearnedStrength }>();

  return {
    async get(embedderId) {
      const known = learners.get(embedderId);
      if (known !== undefined) return known.learner;
      const fact = await store.readFact(factName(embedderId)).catch(() => null);
      const learner = createStrengthLearner(parseLearnedStrength(fact));
      // Another search may have come first; what that one has learned meanwhile stays.
      const first = learners.get(embedderId);
      if (first === undefined) learners.set(embedderId, { learner, kept: learner.learned });
      return first?.learner ?? learner;
    },
    async keep(embedderId) {
      const known = learners.get(embedderId);
      if (known === undefined) return;
      const { learned } = known.learner;
      if (difference(learned, known.kept) < worthWriting) return;
      known.kept = learned;
      // An index that cannot be written learns anew in the next process.
      await store.writeFact(factName(embedderId), JSON.stringify(learned)).catch(() => {});
    },
  };
}

function factName(embedderId: string): string {
  return `embedder-strength:${embedderId}`;
}

/** How far belief has moved, or the share of missed answers: the larger of both. */
function difference(left: LearnedStrength, right: LearnedStrength): number {
  const moved = left.weights.reduce((sum, weight, i) => sum + Math.abs(weight - (right.weights[i] ?? 0)), 0);
  return Math.max(moved / 2, Math.abs(left.missed / left.asked - right.missed / right.asked));
}
