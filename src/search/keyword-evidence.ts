import type { Analyzer } from "../text/words/analyze.ts";
import { estimateKeywordEvidence } from "./evidence.ts";
import { candidateTokens, findCandidates } from "./find-candidates.ts";
import type { SearchedStore } from "./join-stores.ts";
import { createMatchFinder } from "./matches.ts";
import { createPassageScorer } from "./passages.ts";
import { assignTermWeights } from "./query-terms.ts";
import { readQueryWords } from "./query-words.ts";

/** The keyword evidence (see `KeywordEvidence`) of the chunks that keyword search finds for a text. */
export type KeywordEvidenceOf = (text: string, totalChunks: number) => Promise<ReadonlyMap<number, number>>;

const limit = 40;

export function createKeywordEvidence(
  store: Pick<SearchedStore, "byKeyword" | "chunks" | "documentFrequencies" | "tokensWithPrefix">,
  analyzer: Analyzer,
): KeywordEvidenceOf {
  return async (text, totalChunks) => {
    const terms = await assignTermWeights(readQueryWords(text, analyzer), store, totalChunks);
    const tokens = candidateTokens(terms);
    const { candidates } = await findCandidates(store, { tokens, limit, filter: {}, vectorResult: null });
    const scorePassages = createPassageScorer(terms, createMatchFinder(terms, analyzer));
    const scores = new Map<number, number>();
    for (const chunk of candidates) {
      scores.set(chunk.id, Math.max(0, ...scorePassages(chunk).map(({ score }) => score)));
    }
    const isComplete = candidates.length < limit;
    const evidenceOf = estimateKeywordEvidence([...scores.values()], { totalChunks, isComplete });
    return new Map([...scores].map(([id, score]) => [id, evidenceOf(score, true)]));
  };
}
