import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Settings } from "../config/settings.ts";
import { systemErrorCode } from "../errors.ts";
import type { Memory, OpenMemoryOptions } from "../memory/memory.ts";
import { openConfiguredMemory } from "../memory/open-memory.ts";
import type { SyncReport } from "../sync/sync.ts";
import { type Answer, askQuestions } from "./ask.ts";
import { createLineChars } from "./line-chars.ts";
import type { Question, QuestionSet } from "./question.ts";
import { judge, type SetResult, warnOfDegraded } from "./result.ts";
import type { Steps } from "./steps.ts";
import { withTemporaryIndex } from "./temporary-index.ts";

/** An embedder of the caller's own. */
export type GivenEmbedder = NonNullable<OpenMemoryOptions["embedder"]>;

export interface EvaluateSetOptions {
  readonly settings: Settings;
  /** Questions of other sets, to see whether the memory keeps silent. */
  readonly offTopic?: readonly Question[] | undefined;
  /** Another embedder than the settings name, one for each memory that is opened. */
  readonly openEmbedder?: (() => GivenEmbedder) | undefined;
  readonly steps: Steps;
  readonly signal?: AbortSignal | undefined;
}

/** Indexes the notes of a set, each scope as a memory of its own, and asks all questions. */
export async function evaluateSet(
  { name, workspaceDir, questions, unanswerable }: QuestionSet,
  { settings, offTopic = [], openEmbedder, steps, signal }: EvaluateSetOptions,
): Promise<SetResult> {
  const scopes = [...new Set([...questions, ...unanswerable].map(({ scope }) => scope))];
  const strangers = offTopic.map((question, index) => moveTo(question, scopes[index % scopes.length]));
  const answers = new Map<Question, Answer>();
  const warnings: string[] = [];
  for (const scope of scopes) {
    const asked = [...questions, ...unanswerable, ...strangers].filter((each) => each.scope === scope);
    const folder = scope === undefined ? workspaceDir : join(workspaceDir, scope);
    // With the folder itself as an extra path, every `.md` file below it is a note.
    const notes = { workspaceDir: folder, extraPaths: [folder], exclude: [] };
    await withTemporaryIndex(settings, notes, async (own) => {
      const embedder = openEmbedder?.();
      await using memory = await openConfiguredMemory(own, embedder && { embedder });
      const report = await memory.sync({
        reason: "eval",
        ...(signal && { signal }),
        progress: ({ completed, total }) => steps.say(`${name}: indexing note ${completed} of ${total}`),
      });
      warnings.push(...(await warnOfNotes(memory, { report, asked, scope })));
      const onAnswer = (): void => steps.advance(name);
      for (const answer of await askQuestions(memory, asked, { signal, onAnswer })) {
        answers.set(answer.question, answer);
      }
    });
  }
  const answersTo = (some: readonly Question[]): Answer[] => some.map((question) => answers.get(question)!);
  const charsOf = createLineChars((path) => readText(join(workspaceDir, path)));
  return {
    name,
    answers: judge(answersTo(questions), charsOf),
    unanswerable: answersTo(unanswerable),
    offTopic: answersTo(strangers),
    warnings: [...warnings, ...warnOfDegraded(answersTo(questions))].map((text) => `${name}: ${text}`),
  };
}

function moveTo({ scope: _, ...question }: Question, scope: string | undefined): Question {
  return scope === undefined ? question : { ...question, scope };
}

/** Names the notes that hold an answer and that no search can find, because they are not in the index. */
async function warnOfNotes(
  memory: Memory,
  { report, asked, scope }: { report: SyncReport; asked: readonly Question[]; scope: string | undefined },
): Promise<string[]> {
  const { onDisk } = await memory.status();
  const reasons = new Map([
    ...onDisk.skipped.map(({ path, reason }) => [path, reason] as const),
    ...report.failed.map(({ path, message }) => [path, message] as const),
  ]);
  const prefix = scope === undefined ? "" : `${scope}/`;
  const gold = new Set(asked.flatMap((question) => question.gold.map(({ path }) => path)));
  return [...reasons]
    .filter(([path]) => gold.has(prefix + path))
    .map(([path, reason]) => `${prefix}${path} holds answers and is not indexed: ${reason}`);
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return null;
  }
}
