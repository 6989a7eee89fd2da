import type { Memory } from "../memory/memory.ts";
import type { SearchAnswer } from "../search/search.ts";
import { monotonicMs } from "../timing.ts";
import { type Metrics, scoreHits } from "./metrics.ts";
import type { Place, Question } from "./question.ts";

interface Hit extends Place {
  readonly score: number;
}

export interface Answer {
  readonly question: Question;
  /** Best first, at most ten. */
  readonly hits: readonly Hit[];
  readonly confidence: SearchAnswer["confidence"];
  readonly confidenceLevel: SearchAnswer["confidenceLevel"];
  readonly durationMs: number;
  readonly mode: SearchAnswer["mode"];
  readonly degraded: readonly string[];
}

interface AskOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onAnswer?: () => void;
}

/** Asks the questions one at a time, so that timings do not affect each other. */
export async function askQuestions(
  memory: Pick<Memory, "search">,
  questions: readonly Question[],
  { signal, onAnswer }: AskOptions = {},
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const question of questions) {
    const startedMs = monotonicMs();
    const answer = await memory.search(question.query, {
      maxResults: 10,
      source: "memory",
      ...(signal && { signal }),
    });
    const durationMs = monotonicMs() - startedMs;
    const { scope } = question;
    const hits = answer.results.map(({ path, startLine, endLine, score }) => ({
      path: scope === undefined ? path : `${scope}/${path}`,
      startLine,
      endLine,
      score,
    }));
    const { confidence, confidenceLevel, mode, degraded } = answer;
    answers.push({ question, hits, confidence, confidenceLevel, durationMs, mode, degraded });
    onAnswer?.();
  }
  return answers;
}

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

export interface EvalProgress {
  readonly completed: number;
  readonly total: number;
  readonly label: string;
}

/** Counts questions over several sets and configurations as one task. */
export interface Steps {
  advance(label: string): void;
  /** Reports work between questions. */
  say(label: string): void;
}

export function createSteps(total: number, report: ((progress: EvalProgress) => void) | undefined): Steps {
  let completed = 0;
  return {
    advance: (label) => report?.({ completed: ++completed, total, label }),
    say: (label) => report?.({ completed, total, label }),
  };
}
