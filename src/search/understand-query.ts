import type { ChainLink } from "../embedders/fallback-chain.ts";
import { throwIfAborted } from "../errors.ts";
import type { Analyzer } from "../text/words/analyze.ts";
import {
  chooseQueryEmbedder,
  type SemanticChoice,
  type SemanticParts,
  type SemanticSettings,
} from "./choose-query-embedder.ts";
import { createEmbedderChecks, type EmbedderCheck, understandingOf } from "./embedder-check.ts";
import {
  createStrengthLearner,
  type StrengthLearner,
  type StrengthLearners,
  trustUnderstanding,
} from "./embedder-strength.ts";
import type { SearchedStore } from "./join-stores.ts";
import { createKeywordEvidence } from "./keyword-evidence.ts";
import { assignTermWeights, type QueryTerm } from "./query-terms.ts";
import { maxQueryChars, type QueryWords } from "./query-words.ts";
import { type SemanticRequest, semanticSearch, type VectorResult } from "./semantic-search.ts";
import { sharedVocabulary } from "./shared-vocabulary.ts";

export interface UnderstandingParts extends SemanticParts {
  readonly store: SearchedStore;
  readonly analyzer: Analyzer;
  readonly learners: Pick<StrengthLearners, "get">;
}

export interface UnderstandRequest extends Omit<SemanticRequest, "chosenId" | "trust"> {
  /** Keyword search only. */
  readonly keywordOnly?: boolean | undefined;
  /** Called with each reason why the answer is weaker than it could be. */
  readonly onProblem: (problem: string) => void;
  /** Called after each step, for the timings. */
  readonly lap: (name: string) => void;
}

/** A query as weighted terms and, if an embedder embedded it, with its semantic matches. */
export interface Understood {
  /** Id of the chosen embedder; empty for none. */
  readonly chosenId: string;
  readonly terms: readonly QueryTerm[];
  readonly semantic: SemanticSettings | undefined;
  readonly vectorResult: VectorResult | null;
  readonly check: EmbedderCheck | null;
  readonly learner: StrengthLearner;
}

export type Understand = (
  query: string,
  words: QueryWords,
  request: UnderstandRequest,
) => Promise<Understood>;

const keywordsAlone: SemanticChoice = { semantic: undefined, note: null };

/** Tries the embedders in order until one embeds the query; without any, keyword search remains. */
export function createUnderstanding(parts: UnderstandingParts): Understand {
  const { store, analyzer, learners } = parts;
  const checks = createEmbedderChecks(store, createKeywordEvidence(store, analyzer));

  async function understand(
    query: string,
    words: QueryWords,
    { onProblem, lap, keywordOnly = false, ...request }: UnderstandRequest,
  ): Promise<Understood> {
    const { totalChunks, signal } = request;
    const vocabulary = request.filter.sharedOnly ? sharedVocabulary(store) : store;
    const tried = new Map<ChainLink, string>();
    for (;;) {
      const { semantic, link, note }: SemanticChoice = keywordOnly
        ? keywordsAlone
        : await chooseQueryEmbedder(parts, totalChunks, new Set(tried.keys()));
      const chosenId = semantic?.embedder.id ?? "";
      const terms = await assignTermWeights(words, vocabulary, totalChunks);
      throwIfAborted(signal);
      lap("terms");
      const usesEvidence = semantic?.blend.kind === "evidence";
      const learner = usesEvidence ? await learners.get(chosenId) : createStrengthLearner();
      const understood = { chosenId, semantic, terms, check: null, learner };
      if (semantic === undefined || link === undefined) {
        const [problem] = tried.values();
        if (problem !== undefined && semantic === undefined) onProblem(cannotSearch(problem));
        if (note !== null) onProblem(note);
        lap("meaning");
        return { ...understood, vectorResult: null };
      }
      let check: EmbedderCheck | null = null;
      const vectorResult = await semanticSearch(query.slice(0, maxQueryChars), semantic, store, {
        ...request,
        chosenId,
        async trust() {
          check = await checkOf(semantic, totalChunks).catch(() => null);
          const understanding = understandingOf(check);
          return {
            understanding,
            strengths: trustUnderstanding(learner.strengths, understanding),
            usualSpread: check?.spread ?? 0,
            reach: check?.reach ?? 0,
          };
        },
      });
      throwIfAborted(signal);
      lap("meaning");
      const { chain } = parts.semantic!;
      if ("problem" in vectorResult && vectorResult.failure !== undefined) {
        await chain.failed(link, vectorResult.failure);
        tried.set(link, vectorResult.failure.reason);
        continue;
      }
      if (note !== null) onProblem(note);
      if (!("problem" in vectorResult)) {
        await chain.answered(link, "query");
        return { ...understood, check, vectorResult };
      }
      if (vectorResult.problem !== null) onProblem(cannotSearch(vectorResult.problem));
      return { ...understood, vectorResult: null };
    }
  }

  async function checkOf(
    semantic: SemanticSettings | undefined,
    totalChunks: number,
  ): Promise<EmbedderCheck | null> {
    if (semantic?.blend.kind !== "evidence") return null;
    return await checks.get(semantic.embedder, totalChunks, semantic.waitMs);
  }

  return understand;
}

function cannotSearch(problem: string): string {
  return `meaning cannot be searched: ${problem}`;
}
