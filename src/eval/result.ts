import type { Answer } from "./ask.ts";
import { type Metrics, scoreHits } from "./metrics.ts";
import type { Place } from "./question.ts";

export interface JudgedAnswer extends Answer {
  readonly metrics: Metrics;
}

/** How one set was answered. */
export interface SetResult {
  readonly name: string;
  /** In the order of the questions. */
  readonly answers: readonly JudgedAnswer[];
  /** Answers to questions about what is not in the notes. */
  readonly unanswerable: readonly Answer[];
  /** Answers to questions of another set. */
  readonly offTopic: readonly Answer[];
  /** What makes the figures less than they could be, in sentences. */
  readonly warnings: readonly string[];
}

export function judge(answers: readonly Answer[], charsOf: (place: Place) => number): JudgedAnswer[] {
  return answers.map((answer) => ({
    ...answer,
    metrics: scoreHits(answer.hits, answer.question.gold, charsOf),
  }));
}

/** Reasons for weaker answers, each once with how often it was given. */
export function warnOfDegraded(answers: readonly Answer[]): string[] {
  const reasons = Map.groupBy(
    answers.flatMap(({ degraded }) => degraded),
    (reason) => reason,
  );
  return [...reasons].map(([reason, { length }]) =>
    length === 1 ? `1 answer was weaker: ${reason}` : `${length} answers were weaker: ${reason}`,
  );
}
