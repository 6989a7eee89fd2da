import type { Settings } from "../config/settings.ts";
import { openConfiguredMemory } from "../memory/open-memory.ts";
import { override } from "../text/override.ts";
import { type Answer, askQuestions } from "./ask.ts";
import { createLineChars } from "./line-chars.ts";
import type { Place, Question } from "./question.ts";
import { judge, type SetResult, warnOfDegraded } from "./result.ts";
import type { Steps } from "./steps.ts";

export interface EvaluateNotesOptions {
  /** Of the memory that is asked. */
  readonly settings: Settings;
  readonly questions: readonly Question[];
  readonly offTopic?: readonly Question[] | undefined;
  readonly readText: (path: string) => string | null;
  readonly steps: Steps;
  readonly signal?: AbortSignal | undefined;
}

/** Brings a memory up to date and asks it questions about its own notes. Each category is a row of the report. */
export async function evaluateNotes(options: EvaluateNotesOptions): Promise<SetResult[]> {
  const { settings, questions, offTopic = [], readText, steps, signal } = options;
  // Questions are made from the project's notes, so the user's are no answer to them.
  await using memory = await openConfiguredMemory(override(settings, { userLayer: null }));
  await memory.sync({
    reason: "eval",
    ...(signal && { signal }),
    progress: ({ completed, total }) => steps.say(`indexing note ${completed} of ${total}`),
  });
  const ask = (some: readonly Question[], label: string): Promise<Answer[]> =>
    askQuestions(memory, some, { signal, onAnswer: () => steps.advance(label) });
  const strangers = await ask(offTopic, "questions of another set");
  const charsOf: (place: Place) => number = createLineChars(readText);
  const results: SetResult[] = [];
  for (const [name, some] of Map.groupBy(questions, ({ category }) => category)) {
    const answers = await ask(some, name);
    const warnings = warnOfDegraded(answers).map((text) => `${name}: ${text}`);
    results.push({ name, answers: judge(answers, charsOf), unanswerable: [], offTopic: strangers, warnings });
  }
  return results;
}
