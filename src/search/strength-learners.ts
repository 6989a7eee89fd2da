import type { Store } from "../stores/store.ts";
import {
  createStrengthLearner,
  type LearnedStrength,
  parseLearnedStrength,
  type StrengthLearner,
} from "./embedder-strength.ts";

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
