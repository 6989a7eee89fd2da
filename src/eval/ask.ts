import type { Memory } from "../memory/memory.ts";
import type { SearchAnswer } from "../search/search.ts";
import type { Place, Question } from "./question.ts";

export interface Hit extends Place {
  readonly score: number;
}

export interface Answer {
  readonly question: Question;
  /** Best first, at most ten. */
  readonly hits: readonly Hit[];
  readonly confidenceLevel: SearchAnswer["confidenceLevel"];
  readonly durationMs: number;
  readonly mode: SearchAnswer["mode"];
  readonly degraded: readonly string[];
}

export interface AskOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onAnswer?: () => void;
}

/** Asks one question after the other, so that none waits for another while it is timed. */
export async function askQuestions(
  memory: Pick<Memory, "search">,
  questions: readonly Question[],
  { signal, onAnswer }: AskOptions = {},
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const question of questions) {
    const startedMs = performance.now();
    const answer = await memory.search(question.query, {
      maxResults: 10,
      source: "memory",
      ...(signal && { signal }),
    });
    const durationMs = performance.now() - startedMs;
    const { scope } = question;
    const hits = answer.results.map(({ path, startLine, endLine, score }) => ({
      path: scope === undefined ? path : `${scope}/${path}`,
      startLine,
      endLine,
      score,
    }));
    const { confidenceLevel, mode, degraded } = answer;
    answers.push({ question, hits, confidenceLevel, durationMs, mode, degraded });
    onAnswer?.();
  }
  return answers;
}
