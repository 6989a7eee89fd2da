import type { ChainLink } from "../embedders/fallback-chain.ts";
import { throwIfAborted } from "../errors.ts";
import {
  chooseMeaning,
  type MeaningChoice,
  type MeaningParts,
  type MeaningSettings,
} from "./choose-meaning.ts";
import { createEmbedderChecks, type EmbedderCheck, understandingOf } from "./embedder-check.ts";
import { createStrengthLearner, type StrengthLearner, type StrengthLearners } from "./embedder-strength.ts";
import type { SearchedStore } from "./join-stores.ts";
import { type MeaningRequest, type MeaningSide, searchMeaning } from "./meaning.ts";
import { type QueryTerm, weighQueryTerms } from "./query-terms.ts";
import { maxQueryChars, type QueryWords } from "./query-words.ts";

export interface UnderstandingParts extends MeaningParts {
  readonly store: SearchedStore;
  readonly learners: Pick<StrengthLearners, "get">;
}

export interface UnderstandRequest extends Omit<MeaningRequest, "chosenId" | "trust"> {
  /** Asks no embedder. */
  readonly keywordOnly?: boolean | undefined;
  /** Told why the answer is weaker than it could be. */
  readonly onProblem: (problem: string) => void;
  /** Told when a step is done. */
  readonly lap: (name: string) => void;
}

/** A question as terms and, where an embedder gave it a vector, as what is similar to it. */
export interface Understood {
  /** Id of the embedder that was asked; empty for none. */
  readonly chosenId: string;
  readonly terms: readonly QueryTerm[];
  readonly meaning: MeaningSettings | undefined;
  readonly side: MeaningSide | null;
  readonly check: EmbedderCheck | null;
  readonly learner: StrengthLearner;
}

export type Understand = (
  query: string,
  words: QueryWords,
  request: UnderstandRequest,
) => Promise<Understood>;

const keywordsAlone: MeaningChoice = { meaning: undefined, note: null };

/** Asks the embedders in their order until one gives the question a vector; without any, words have to do. */
export function createUnderstanding(parts: UnderstandingParts): Understand {
  const { store, learners } = parts;
  const checks = createEmbedderChecks(store);

  async function understand(
    query: string,
    words: QueryWords,
    { onProblem, lap, keywordOnly = false, ...request }: UnderstandRequest,
  ): Promise<Understood> {
    const { totalChunks, signal } = request;
    const tried = new Map<ChainLink, string>();
    for (;;) {
      const { meaning, link, note }: MeaningChoice = keywordOnly
        ? keywordsAlone
        : await chooseMeaning(parts, totalChunks, new Set(tried.keys()));
      const chosenId = meaning?.embedder.id ?? "";
      const terms = await weighQueryTerms(words, store, totalChunks);
      throwIfAborted(signal);
      lap("terms");
      const check = await checkOf(meaning, totalChunks);
      const isWeighed = meaning?.blend.kind === "evidence";
      const learner = isWeighed ? await learners.get(chosenId) : createStrengthLearner();
      const understood = { chosenId, meaning, terms, check, learner };
      if (meaning === undefined || link === undefined) {
        const [problem] = tried.values();
        if (problem !== undefined && meaning === undefined) onProblem(cannotSearch(problem));
        if (note !== null) onProblem(note);
        lap("meaning");
        return { ...understood, side: null };
      }
      const { strengths, missedShare } = learner;
      const side = await searchMeaning(query.slice(0, maxQueryChars), meaning, store, {
        ...request,
        chosenId,
        trust: {
          ...{ understanding: understandingOf(check), usualSpread: check?.spread ?? 0 },
          ...{ strengths, missedShare },
        },
      });
      throwIfAborted(signal);
      lap("meaning");
      const { chain } = parts.meaning!;
      if ("problem" in side && side.failure !== undefined) {
        await chain.failed(link, side.failure);
        tried.set(link, side.failure.reason);
        continue;
      }
      if (note !== null) onProblem(note);
      if (!("problem" in side)) {
        await chain.answered(link, "query");
        return { ...understood, side };
      }
      if (side.problem !== null) onProblem(cannotSearch(side.problem));
      return { ...understood, side: null };
    }
  }

  async function checkOf(
    meaning: MeaningSettings | undefined,
    totalChunks: number,
  ): Promise<EmbedderCheck | null> {
    if (meaning?.blend.kind !== "evidence") return null;
    return await checks.get(meaning.embedder, totalChunks, meaning.waitMs);
  }

  return understand;
}

function cannotSearch(problem: string): string {
  return `meaning cannot be searched: ${problem}`;
}
