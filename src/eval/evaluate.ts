import type { Settings } from "../config/settings.ts";
import { invalidSet } from "./eval-error.ts";
import { evaluateNotes } from "./evaluate-notes.ts";
import { evaluateSet, type GivenEmbedder } from "./evaluate-set.ts";
import { generateQuestions, type QuestionKind, questionKinds } from "./generate/generate-questions.ts";
import type { NoteText } from "./generate/read-note.ts";
import type { Question, QuestionSet } from "./question.ts";
import { readSets } from "./read-sets.ts";
import { checkNames, createReport, type Report } from "./report.ts";
import type { SetResult } from "./result.ts";
import type { Grouping } from "./rows.ts";
import { withoutScans } from "./settings-for.ts";
import { createSteps, type EvalProgress } from "./steps.ts";
import { withTemporaryIndex } from "./temporary-index.ts";

export interface EvaluateOptions {
  readonly settings: Settings;
  /** A second configuration, asked the same questions. */
  readonly second?: { readonly config: string; readonly settings: Settings } | undefined;
  /** Rows to make, by name; all otherwise. */
  readonly names?: readonly string[] | undefined;
  /** The first so many questions of each row. */
  readonly limit?: number | undefined;
  readonly by?: Grouping | undefined;
  /** A set, or a folder of sets, whose questions the notes cannot answer. */
  readonly offTopicDir?: string | undefined;
  /** Another embedder than the settings name, for the questions of a set. */
  readonly openEmbedder?: ((set: QuestionSet) => GivenEmbedder) | undefined;
  readonly progress?: ((progress: EvalProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Evaluation {
  readonly report: Report;
  /** Of the first configuration. */
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

/** Asks questions made from the notes of a memory. A second configuration gets an index of its own for the time. */
export async function evaluateOwnNotes(
  notes: readonly NoteText[],
  options: EvaluateOptions,
): Promise<Evaluation> {
  const { settings, second, names, limit, by, offTopicDir, progress, signal } = options;
  const questions = limitEach(
    generateQuestions(notes, { limit: mostGenerated, kinds: kindsOf(names) }),
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

const mostGenerated = 200;
const mostOffTopic = 200;

/** Questions of the sets that are not over these notes, at most 200, spread evenly. */
function chooseOffTopic(sets: readonly QuestionSet[], workspaceDir: string): Question[] {
  const all = sets.filter((set) => set.workspaceDir !== workspaceDir).flatMap(({ questions }) => questions);
  if (all.length <= mostOffTopic) return all;
  return Array.from({ length: mostOffTopic }, (_, i) => all[Math.floor((i * all.length) / mostOffTopic)]!);
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
