import type { ChainLink } from "../embedders/fallback-chain.ts";
import { throwIfAborted } from "../errors.ts";
import type { Analyzer } from "../text/words/analyze.ts";
import {
  chooseQueryEmbedder,
  type SemanticChoice,
  type SemanticParts,
  type SemanticSettings,
} from "./choose-query-embedder.ts";
import {
  createEmbedderChecks,
  type EmbedderCheck,
  type KeywordEvidenceOf,
  understandingOf,
} from "./embedder-check.ts";
import {
  createStrengthLearner,
  type StrengthLearner,
  type StrengthLearners,
  trustUnderstanding,
} from "./embedder-strength.ts";
import { estimateKeywordEvidence } from "./evidence.ts";
import { candidateTokens, findCandidates } from "./find-candidates.ts";
import type { SearchedStore } from "./join-stores.ts";
import { createMatchFinder } from "./matches.ts";
import { createPassageScorer } from "./passages.ts";
import { assignTermWeights, type QueryTerm, type Vocabulary } from "./query-terms.ts";
import { maxQueryChars, type QueryWords, readQueryWords } from "./query-words.ts";
import { type SemanticRequest, semanticSearch, type VectorResult } from "./semantic-search.ts";

interface UnderstandingParts extends SemanticParts {
  readonly store: SearchedStore;
  readonly analyzer: Analyzer;
  readonly learners: Pick<StrengthLearners, "get">;
}

interface UnderstandRequest extends Omit<SemanticRequest, "chosenId" | "trust"> {
  /** Keyword search only. */
  readonly keywordOnly?: boolean | undefined;
  /** Called with each reason why the answer is weaker than it could be. */
  readonly onProblem: (problem: string) => void;
  /** Called after each step, for the timings. */
  readonly lap: (name: string) => void;
}

/** A query as weighted terms and, if an embedder embedded it, with its semantic matches. */
interface Understood {
  /** Id of the chosen embedder; empty for none. */
  readonly chosenId: string;
  readonly terms: readonly QueryTerm[];
  readonly semantic: SemanticSettings | undefined;
  readonly vectorResult: VectorResult | null;
  readonly check: EmbedderCheck | null;
  readonly learner: StrengthLearner;
}

type Understand = (query: string, words: QueryWords, request: UnderstandRequest) => Promise<Understood>;

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

/** A word in more chunks than this says nothing about a few private notes. */
const maxCounted = 1000;

/** The words that a group may know: those of private notes do not count, nor are they guessed for a misspelt word. */
function sharedVocabulary(
  store: Pick<SearchedStore, "byKeyword" | "documentFrequencies" | "tokensWithPrefix">,
): Vocabulary {
  const { tokensWithPrefix } = store;
  const onlyShared = { limit: maxCounted, filter: { sharedOnly: true } };

  async function countShared(token: string, chunks: number): Promise<number> {
    if (chunks === 0 || chunks > maxCounted) return chunks;
    return (await store.byKeyword([token], onlyShared)).length;
  }

  return {
    async documentFrequencies(tokens) {
      const all = [...(await store.documentFrequencies(tokens))];
      return new Map(
        await Promise.all(
          all.map(async ([token, chunks]) => [token, await countShared(token, chunks)] as const),
        ),
      );
    },
    ...(tokensWithPrefix && { tokensWithPrefix: tokensWithPrefix.bind(store) }),
    async known(tokens) {
      const counted = tokens.map(async (each) => ({
        ...each,
        chunks: await countShared(each.token, each.chunks),
      }));
      return (await Promise.all(counted)).filter(({ chunks }) => chunks > 0);
    },
  };
}

const maxCompared = 40;

/** Keyword search as the check of an embedder compares it with similarity. */
export function createKeywordEvidence(
  store: Pick<SearchedStore, "byKeyword" | "chunks" | "documentFrequencies" | "tokensWithPrefix">,
  analyzer: Analyzer,
): KeywordEvidenceOf {
  return async (text, totalChunks) => {
    const terms = await assignTermWeights(readQueryWords(text, analyzer), store, totalChunks);
    const tokens = candidateTokens(terms);
    const { candidates } = await findCandidates(store, {
      tokens,
      limit: maxCompared,
      filter: {},
      vectorResult: null,
    });
    const scorePassages = createPassageScorer(terms, createMatchFinder(terms, analyzer));
    const scores = new Map<number, number>();
    for (const chunk of candidates) {
      scores.set(chunk.id, Math.max(0, ...scorePassages(chunk).map(({ score }) => score)));
    }
    const isComplete = candidates.length < maxCompared;
    const evidenceOf = estimateKeywordEvidence([...scores.values()], { totalChunks, isComplete });
    return new Map([...scores].map(([id, score]) => [id, evidenceOf(score, true)]));
  };
}
