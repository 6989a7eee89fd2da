import { access, constants, writeFile } from "node:fs/promises";
import path from "node:path";
import { resolveSettings, type Settings } from "../../config/settings.ts";
import { LonghandError, systemErrorCode } from "../../errors.ts";
import { renderResults } from "../../eval/answers.ts";
import {
  type EvaluateOptions,
  type Evaluation,
  evaluateOwnNotes,
  evaluateSets,
} from "../../eval/evaluate.ts";
import type { NoteText } from "../../eval/generate/read-note.ts";
import { type Grouping, reportToJson } from "../../eval/report.ts";
import { openNotes } from "../../notes/notes.ts";
import { isFolder } from "../../paths.ts";
import { compact } from "../../text/compact.ts";
import { countOf } from "../../text/count-of.ts";
import { formatDuration } from "../../text/figures.ts";
import { showOnOneLine } from "../../text/visible.ts";
import { monotonicMs } from "../../timing.ts";
import type { CommandContext } from "../command.ts";
import type { Output } from "../output.ts";
import { withProgress } from "../progress-bar.ts";
import { renderEvaluation } from "../render-evaluation.ts";
import { locationsOf, showDisabled } from "../with-memory.ts";

interface EvalInput {
  readonly dir?: string;
  readonly sets?: string;
  readonly limit?: number;
  readonly by?: Grouping;
  readonly compare?: string;
  readonly offTopic?: string;
  readonly results?: string;
}

export async function runEval(context: CommandContext, input: EvalInput): Promise<void> {
  const { output, globals, signal } = context;
  const locations = locationsOf(globals);
  const settings = await resolveSettings(locations);
  if (settings.disabled) {
    showDisabled(output);
    return;
  }
  if (input.results !== undefined) await checkResultsFile(input.results);
  const options: EvaluateOptions = {
    settings,
    second: input.compare === undefined ? undefined : await readSecond(input.compare, locations),
    names: input.sets === undefined ? undefined : readNames(input.sets),
    limit: input.limit,
    by: input.by,
    offTopicDir: input.offTopic,
    signal,
  };
  const startedMs = monotonicMs();
  const evaluation = await withProgress(output.bar, async (progress) => {
    const observed = { ...options, progress: progress.report };
    return input.dir === undefined
      ? await evaluateOwnNotes(await readNotes(settings, signal), observed)
      : await evaluateSets(input.dir, observed);
  });
  const { report, results } = evaluation;
  if (input.results !== undefined) await writeResults(input.results, renderResults(results));
  output.show(reportToJson(report), (view) => renderEvaluation(report, view));
  output.note(renderFooter(evaluation, { output, durationMs: monotonicMs() - startedMs }));
}

/** Reads the notes of the memory, up to what comfortably fits into RAM. */
async function readNotes(settings: Settings, signal: AbortSignal): Promise<NoteText[]> {
  const { workspaceDir, memorySearch, userTimezone } = settings;
  const notes = openNotes({
    workspaceDir,
    extraPaths: memorySearch.extraPaths,
    exclude: memorySearch.exclude,
    ...settings.notes,
    timezone: userTimezone,
    withLock: () => Promise.reject(new TypeError("An evaluation writes no notes.")),
  });
  const texts: NoteText[] = [];
  let chars = 0;
  for (const { path: notePath } of (await notes.scan({ signal })).entries) {
    const note = await readOrSkip(() => notes.read(notePath));
    if (note === null) continue;
    texts.push({ path: notePath, text: note.text, date: notes.daily.dateOf(notePath) });
    chars += note.text.length;
    if (chars > maxChars) break;
  }
  return texts;
}

const maxChars = 20_000_000;

/** An unreadable note is not in the index either, and `status` reports it. */
async function readOrSkip<T>(read: () => Promise<T | null>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof LonghandError) return null;
    throw error;
  }
}

async function readSecond(config: string, locations: ReturnType<typeof locationsOf>) {
  return { config, settings: await resolveSettings({ ...locations, config }) };
}

function readNames(sets: string): string[] {
  const names = sets.split(",").map((name) => name.trim());
  if (names.every((name) => name !== "") && new Set(names).size === names.length) return names;
  throw new LonghandError("usage", `--sets cannot be ${JSON.stringify(sets.slice(0, 60))}.`, {
    hint: "It takes names with commas between them, each once, such as --sets first,second.",
  });
}

/** An evaluation takes minutes, so anything that would lose its results is checked first. */
async function checkResultsFile(file: string): Promise<void> {
  const folder = path.dirname(path.resolve(file));
  try {
    if (isFolder(file)) throw refuseResults(file, "it is a folder");
    await access(folder, constants.W_OK);
  } catch (error) {
    throw asResultsFailure(file, error);
  }
}

async function writeResults(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (error) {
    throw asResultsFailure(file, error);
  }
}

function asResultsFailure(file: string, error: unknown): unknown {
  const code = systemErrorCode(error);
  return code === undefined ? error : refuseResults(file, `the system says ${code}`);
}

function refuseResults(file: string, why: string): LonghandError {
  return new LonghandError("usage", `The results cannot be written to ${file}: ${why}.`, {
    hint: "Name a file in a folder that exists and that you may write to.",
  });
}

function renderFooter(
  { report, results }: Evaluation,
  { output, durationMs }: { output: Output; durationMs: number },
): string {
  const { paintNote: paint } = output;
  const answers = results.flatMap((result) => result.answers);
  const modes = [...new Set(answers.map(({ mode }) => mode))].join(", ");
  const { generated } = report;
  return compact([
    paint("dim", `${countOf(answers.length, "question")} · ${modes} · ${formatDuration(durationMs)}`),
    generated &&
      `The questions were made from ${countOf(generated.notes, "note")} by rules, in the words of the notes, so they are ` +
        "easier than real ones. Use the figures to compare settings (--compare FILE).",
    ...report.warnings.map((warning) => paint("yellow", showOnOneLine(warning))),
  ]).join("\n");
}
