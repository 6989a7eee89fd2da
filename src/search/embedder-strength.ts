import type { Store } from "../stores/store.ts";
import { sha256 } from "../text/hash.ts";
import { minShift, type WeighedStrength } from "./evidence.ts";

/**
 * Learns from the queries how strong an embedder is. One query tells little, because noise lifts some of many chunks
 * as high as an answer; but if similarity keeps favouring what keywords favour, that is not chance.
 */
export interface StrengthLearner {
  readonly strengths: readonly WeighedStrength[];
  /**
   * Fraction of answers that the embedder misses, 0..1. The more it misses, the less a low similarity counts against a
   * chunk.
   */
  readonly missedShare: number;
  /**
   * `likelihoods` holds, for each strength, how much likelier the similarities to this query are than by chance. A
   * repeated query adds nothing.
   */
  learn(question: string, likelihoods: readonly number[]): void;
  /** The state to store for the next process. */
  readonly learned: LearnedStrength;
}

export interface LearnedStrength {
  /** Probability of each strength. */
  readonly weights: readonly number[];
  readonly missed: number;
  readonly asked: number;
  /** Hashes of the most recent queries. */
  readonly questions: readonly string[];
}

/** The prior: most likely the embedder is no better than chance. */
const prior: readonly WeighedStrength[] = [
  { shift: 0, weight: 0.9 },
  ...[1, 1.5, 2, 2.75, 3.5, 5, 7, 9].map((shift) => ({ shift, weight: 0.1 / 8 })),
];
/** Queries are not independent, so each counts a little less. */
const tempering = 0.7;
/** Fraction forgotten with each query, so that no belief becomes final. */
const forgotten = 0.02;
/** Prior counts of missed answers and of queries. */
const assumed = { missed: 1, asked: 5 };
/** Number of queries over which missed answers are counted. */
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
      // With a weak embedder, a query says nothing about what a strong one would miss.
      const share = counted.missed / counted.asked;
      const missed = (strong * share) / (share + ((1 - share) * seen) / strong);
      if (!Number.isFinite(missed)) return;
      const kept = Math.min(1, maxAsked / (counted.asked + strong));
      counted = { missed: kept * (counted.missed + missed), asked: kept * (counted.asked + strong) };
    },
  };
}

/** Null if another version wrote it or it was edited by hand; then learning starts again. */
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

/** One learner per embedder. Its state is stored in the index, because most processes ask only a query or two. */
export interface StrengthLearners {
  get(embedderId: string): Promise<StrengthLearner>;
  /** Stores what was learned since, if it is worth a write. */
  keep(embedderId: string): Promise<void>;
}

/** A write makes other processes reread the index, so belief must have moved by at least this much. */
const worthWriting = 0.1;

export function createStrengthLearners(store: Pick<Store, "readFact" | "writeFact">): StrengthLearners {
  const learners = new Map<string, { readonly learner: StrengthLearner; kept: LearnedStrength }>();

  return {
    async get(embedderId) {
      const known = learners.get(embedderId);
      if (known !== undefined) return known.learner;
      const fact = await store.readFact(factName(embedderId)).catch(() => null);
      const learner = createStrengthLearner(parseLearnedStrength(fact));
      // Another search may have created the learner meanwhile; keep that one.
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
      // With a read-only index, the next process learns from the start.
      await store.writeFact(factName(embedderId), JSON.stringify(learned)).catch(() => {});
    },
  };
}

function factName(embedderId: string): string {
  return `embedder-strength:${embedderId}`;
}

/** The larger of the changes in belief and in the share of missed answers. */
function difference(left: LearnedStrength, right: LearnedStrength): number {
  const moved = left.weights.reduce((sum, weight, i) => sum + Math.abs(weight - (right.weights[i] ?? 0)), 0);
  return Math.max(moved / 2, Math.abs(left.missed / left.asked - right.missed / right.asked));
}
