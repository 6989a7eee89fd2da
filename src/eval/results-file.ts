import type { SetResult } from "./result.ts";

/** One line a question: `{"queryId", "hits": [{path, startLine, endLine, score}]}`, best hit first. */
export function renderResults(results: readonly SetResult[]): string {
  return results
    .flatMap(({ answers }) => answers)
    .map(({ question, hits }) => `${JSON.stringify({ queryId: question.id, hits })}\n`)
    .join("");
}
