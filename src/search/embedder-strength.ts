import type { Store } from "../stores/store.ts";
import { fieldsOf } from "../text/fields.ts";
import { sha256 } from "../text/hash.ts";
import { parseJson } from "../text/parse-json.ts";
import type { PossibleStrength } from "./evidence.ts";

/**
 * Learns from the queries how strong an embedder is, how many answers it misses, and how many keywords miss. One query
 * tells little, because noise lifts some of many chunks as high as an answer; but if similarity keeps favouring what
 * keywords favour, or keeps lifting a single chunk above all others, that is not chance.
 */
export interface StrengthLearner {
  readonly strengths: readonly PossibleStrength[];
  /**
   * `likelihoods` holds, for each strength, how much likelier the similarities to this query are than by chance. A
   * repeated query adds nothing.
   */
  learn(question: string, likelihoods: readonly number[]): void;
  /** The state to store for the next process. */
  readonly learned: LearnedStrength;
}

interface LearnedStrength {
  /** Probability of each strength. */
  readonly weights: readonly number[];
  /** Hashes of the most recent queries. */
  readonly questions: readonly string[];
}

const shifts = [1, 1.5, 2, 2.75, 3.5, 5, 7, 9];
/** Fractions of missed answers; a strong embedder usually misses few. */
const missedShares = [
  { missed: 0.05, weight: 3 / 9 },
  { missed: 0.2, weight: 2 / 9 },
  ...[0.4, 0.6, 0.8, 0.9].map((missed) => ({ missed, weight: 1 / 9 })),
];
/** Fractions of queries whose keywords say nothing about where the answer is. */
const misledShares = [0.05, 0.2, 0.4, 0.7];
/** Probability, before any query, that the embedder is no better than its check has shown. */
const chance = 0.9;
const prior: readonly PossibleStrength[] = [
  { shift: 0, missed: 0, misled: misledShares[0]!, weight: chance },
  ...shifts.flatMap((shift) =>
    missedShares.flatMap(({ missed, weight }) =>
      misledShares.map((misled) => ({
        shift,
        missed,
        misled,
        weight: (weight * (1 - chance)) / shifts.length / misledShares.length,
      })),
    ),
  ),
];
/** Fraction forgotten with each query, so that no belief becomes final. */
const forgotten = 0.02;
const maxRemembered = 1000;
const maxKept = 100;
const hashChars = 12;

export function createStrengthLearner(before: LearnedStrength | null = null): StrengthLearner {
  let strengths = prior.map((each, i) => ({ ...each, weight: before?.weights[i] ?? each.weight }));
  const asked = new Set<string>(before?.questions);
  return {
    get strengths() {
      return strengths;
    },
    get learned() {
      return {
        weights: strengths.map(({ weight }) => Number(weight.toPrecision(4))),
        questions: [...asked].slice(-maxKept),
      };
    },
    learn(question, likelihoods) {
      const hash = sha256(question).slice(0, hashChars);
      if (asked.has(hash)) return;
      if (asked.size >= maxRemembered) asked.clear();
      asked.add(hash);
      const beliefs = strengths.map(({ weight }, i) => weight * likelihoods[i]!);
      const sum = beliefs.reduce((total, belief) => total + belief, 0);
      if (!(sum > 0 && Number.isFinite(sum))) return;
      strengths = prior.map((each, i) => ({
        ...each,
        weight: ((1 - forgotten) * beliefs[i]!) / sum + forgotten * each.weight,
      }));
    },
  };
}

/** How much likelier an embedder that understands the notes is stronger than its check has shown. */
const understandingOdds = 9;

/** Strengths as they are weighed for an embedder that understands the notes to this degree, 0..1. */
export function trustUnderstanding(
  strengths: readonly PossibleStrength[],
  understanding: number,
): PossibleStrength[] {
  const [unproved, ...proved] = strengths as [PossibleStrength, ...PossibleStrength[]];
  const weight = unproved.weight * (1 - understanding + understanding / understandingOdds);
  const sum = 1 - unproved.weight + weight;
  return [{ ...unproved, weight }, ...proved].map((each) => ({ ...each, weight: each.weight / sum }));
}

/** Null if another version wrote it or it was edited by hand; then learning starts again. */
function parseLearnedStrength(json: string | null): LearnedStrength | null {
  const { weights, questions } = fieldsOf(parseJson(json ?? ""));
  if (!Array.isArray(weights) || !Array.isArray(questions)) return null;
  const isWhole =
    weights.length === prior.length &&
    weights.every((weight) => Number.isFinite(weight) && weight > 0) &&
    questions.every((each) => typeof each === "string");
  if (!isWhole) return null;
  const sum = weights.reduce((total: number, weight: number) => total + weight, 0);
  return { weights: weights.map((weight: number) => weight / sum), questions };
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

/** How much probability moved. */
function difference(left: LearnedStrength, right: LearnedStrength): number {
  return left.weights.reduce((sum, weight, i) => sum + Math.abs(weight - (right.weights[i] ?? 0)), 0) / 2;
}
