import type { QueryTerm } from "../../src/search/query-terms.ts";
import { createAnalyzer } from "../../src/text/words/analyze.ts";

const analyzer = createAnalyzer();

/** Query terms as if the notes contained every word, all equally rare. */
export function makeTerms(words: string, weights: readonly number[] = []): QueryTerm[] {
  return words.split(" ").map((text, i) => ({
    text,
    kind: "word",
    forms: new Map([[analyzer.indexText(text), 1]]),
    chunks: 1,
    certainty: 1,
    weight: weights[i] ?? 1,
  }));
}
