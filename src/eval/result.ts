import type { Answer } from "./ask.ts";
import { type Metrics, scoreHits } from "./metrics.ts";
import type { Place } from "./question.ts";

export interface ScoredAnswer extends Answer {
  readonly metrics: Metrics;
}

/** How one set was answered. */
export interface SetResult {
  readonly name: string;
  /** In the order of the questions. */
  readonly answers: readonly ScoredAnswer[];
  /** Answers to questions about what is not in the notes. */
  readonly unanswerable: readonly Answer[];
  /** Answers to questions of another set. */
  readonly offTopic: readonly Answer[];
  /** Why the figures may be too low, in sentences. */
  readonly warnings: readonly string[];
}

export function scoreAnswers(answers: readonly Answer[], charsOf: (place: Place) => number): ScoredAnswer[] {
  return answers.map((answer) => ({
    ...answer,
    metrics: scoreHits(answer.hits, answer.question.gold, charsOf),
  }));
}

/** Each reason for degraded answers, with its count. */
export function warnOfDegraded(answers: readonly Answer[]): string[] {
  const reasons = Map.groupBy(
    answers.flatMap(({ degraded }) => degraded),
    (reason) => reason,
  );
  return [...reasons].map(([reason, { length }]) =>
    length === 1 ? `1 answer was weaker: ${reason}` : `${length} answers were weaker: ${reason}`,
  );
}

/** One line a question: `{"queryId", "hits": [{path, startLine, endLine, score}]}`, best hit first. */
export function renderResults(results: readonly SetResult[]): string {
  return results
    .flatMap(({ answers }) => answers)
    .map(({ question, hits }) => `${JSON.stringify({ queryId: question.id, hits })}\n`)
    .join("");
}
