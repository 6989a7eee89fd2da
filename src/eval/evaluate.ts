import { join } from "node:path";
import type { Settings } from "../config/settings.ts";
import type { Memory, OpenMemoryOptions } from "../memory/memory.ts";
import { openConfiguredMemory } from "../memory/open-memory.ts";
import { readTextFile } from "../paths.ts";
import type { SyncReport } from "../sync/sync.ts";
import { override } from "../text/override.ts";
import {
  type Answer,
  askQuestions,
  createSteps,
  type EvalProgress,
  type SetResult,
  type Steps,
  scoreAnswers,
  warnOfDegraded,
} from "./answers.ts";
import { generateQuestions, type QuestionKind, questionKinds } from "./generate/generate-questions.ts";
import type { NoteText } from "./generate/read-note.ts";
import { createLineChars } from "./metrics.ts";
import { invalidSet, type Place, type Question, type QuestionSet } from "./question.ts";
import { readSets } from "./read-sets.ts";
import { checkNames, createReport, type Grouping, type Report } from "./report.ts";
import { withoutScans, withTemporaryIndex } from "./temporary-index.ts";

export interface EvaluateOptions {
  readonly settings: Settings;
  /** A second configuration, asked the same questions. */
  readonly second?: { readonly config: string; readonly settings: Settings } | undefined;
  /** The rows to compute, by name; all by default. */
  readonly names?: readonly string[] | undefined;
  /** At most this many questions of each row. */
  readonly limit?: number | undefined;
  readonly by?: Grouping | undefined;
  /** A set, or a folder of sets, whose questions the notes cannot answer. */
  readonly offTopicDir?: string | undefined;
  /** An embedder other than that of the settings, for the questions of a set. */
  readonly openEmbedder?: ((set: QuestionSet) => GivenEmbedder) | undefined;
  readonly progress?: ((progress: EvalProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Evaluation {
  readonly report: Report;
  /** Results of the first configuration. */
  readonly results: readonly SetResult[];
}

/** Asks the questions of the set, or the sets, in a folder. */
export async function evaluateSets(dir: string, options: EvaluateOptions): Promise<Evaluation> {
  const { settings, second, names, limit, by, offTopicDir, openEmbedder, progress, signal } = options;
  const sets = readSets(dir, { names, limit });
  checkNames(sets.map(({ name }) => name));
  const strangers = offTopicDir === undefined ? [] : readSets(offTopicDir, { limit });
  const offTopicFor = (set: QuestionSet): Question[] => chooseOffTopic(strangers, set.workspaceDir);
  const count = sets.reduce(
    (sum, set) => sum + set.questions.length + set.unanswerable.length + offTopicFor(set).length,
    0,
  );
  const steps = createSteps(second === undefined ? count : 2 * count, progress);

  async function run(settingsOfRun: Settings): Promise<SetResult[]> {
    const results: SetResult[] = [];
    for (const set of sets) {
      const offTopic = offTopicFor(set);
      results.push(
        await evaluateSet(set, {
          ...{ settings: settingsOfRun, offTopic, steps, signal },
          openEmbedder: openEmbedder && (() => openEmbedder(set)),
        }),
      );
    }
    return results;
  }

  const results = await run(settings);
  const other = second && { config: second.config, results: await run(second.settings) };
  return { report: createReport({ results, by, second: other }), results };
}

/** Asks questions generated from the notes of a memory. A second configuration gets a temporary index. */
export async function evaluateOwnNotes(
  notes: readonly NoteText[],
  options: EvaluateOptions,
): Promise<Evaluation> {
  const { settings, second, names, limit, by, offTopicDir, progress, signal } = options;
  const questions = limitEach(
    generateQuestions(notes, { limit: maxGenerated, kinds: kindsOf(names) }),
    limit,
  );
  if (questions.length === 0) {
    throw invalidSet(
      `No question could be made from the ${notes.length === 1 ? "one note" : `${notes.length} notes`} in ${settings.workspaceDir}.`,
      "Notes with headings, names, dates or lines such as `key: value` are needed; or name a folder of questions.",
    );
  }
  const texts = new Map(notes.map(({ path, text }) => [path, text]));
  const readText = (path: string): string | null => texts.get(path) ?? null;
  const strangers = offTopicDir === undefined ? [] : readSets(offTopicDir, { limit });
  const offTopic = chooseOffTopic(strangers, settings.workspaceDir);
  const count = questions.length + offTopic.length;
  const steps = createSteps(second === undefined ? count : 2 * count, progress);
  const run = (settingsOfRun: Settings): Promise<SetResult[]> =>
    evaluateNotes({ settings: settingsOfRun, questions, offTopic, readText, steps, signal });

  const results = await run(withoutScans(settings));
  const { workspaceDir, memorySearch } = settings;
  const other = second && {
    config: second.config,
    results: await withTemporaryIndex(second.settings, { workspaceDir, ...memorySearch }, run),
  };
  const generated = { questions: questions.length, notes: notes.length };
  return { report: createReport({ results, by, second: other, generated }), results };
}

const maxGenerated = 200;
const maxOffTopic = 200;

/** At most 200 questions from sets that are not about these notes, evenly spaced. */
function chooseOffTopic(sets: readonly QuestionSet[], workspaceDir: string): Question[] {
  const all = sets.filter((set) => set.workspaceDir !== workspaceDir).flatMap(({ questions }) => questions);
  if (all.length <= maxOffTopic) return all;
  return Array.from({ length: maxOffTopic }, (_, i) => all[Math.floor((i * all.length) / maxOffTopic)]!);
}

function kindsOf(names: readonly string[] | undefined): readonly QuestionKind[] {
  const unknown = names?.find((name) => !(questionKinds as readonly string[]).includes(name));
  if (unknown === undefined) return (names as readonly QuestionKind[] | undefined) ?? questionKinds;
  throw invalidSet(
    `There is no kind of generated question called ${JSON.stringify(unknown)}.`,
    `The kinds are: ${questionKinds.join(", ")}.`,
  );
}

function limitEach(questions: readonly Question[], limit = Number.POSITIVE_INFINITY): Question[] {
  return [...Map.groupBy(questions, ({ category }) => category).values()].flatMap((some) =>
    some.slice(0, limit),
  );
}

interface EvaluateNotesOptions {
  /** Settings of the memory that is evaluated. */
  readonly settings: Settings;
  readonly questions: readonly Question[];
  readonly offTopic?: readonly Question[] | undefined;
  readonly readText: (path: string) => string | null;
  readonly steps: Steps;
  readonly signal?: AbortSignal | undefined;
}

/** Syncs a memory and asks it questions about its own notes. Each category is a row of the report. */
async function evaluateNotes(options: EvaluateNotesOptions): Promise<SetResult[]> {
  const { settings, questions, offTopic = [], readText, steps, signal } = options;
  // The questions are made from the project's notes, so the user's memory cannot answer them.
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
    results.push({
      name,
      answers: scoreAnswers(answers, charsOf),
      unanswerable: [],
      offTopic: strangers,
      warnings,
    });
  }
  return results;
}

/** An embedder supplied by the caller. */
type GivenEmbedder = NonNullable<OpenMemoryOptions["embedder"]>;

interface EvaluateSetOptions {
  readonly settings: Settings;
  /** Questions of other sets, which should get no answer. */
  readonly offTopic?: readonly Question[] | undefined;
  /** An embedder other than that of the settings, created for each memory that is opened. */
  readonly openEmbedder?: (() => GivenEmbedder) | undefined;
  readonly steps: Steps;
  readonly signal?: AbortSignal | undefined;
}

/** Indexes the notes of a set, each scope as a memory of its own, and asks all questions. */
async function evaluateSet(
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
  const charsOf = createLineChars((path) => readTextFile(join(workspaceDir, path)));
  return {
    name,
    answers: scoreAnswers(answersTo(questions), charsOf),
    unanswerable: answersTo(unanswerable),
    offTopic: answersTo(strangers),
    warnings: [...warnings, ...warnOfDegraded(answersTo(questions))].map((text) => `${name}: ${text}`),
  };
}

function moveTo({ scope: _, ...question }: Question, scope: string | undefined): Question {
  return scope === undefined ? question : { ...question, scope };
}

/** Names the notes that hold an answer but are not in the index. */
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
