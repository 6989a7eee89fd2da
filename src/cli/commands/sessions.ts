import { existsSync } from "node:fs";
import { resolve, sep } from "node:path";
import type { Settings } from "../../config/settings.ts";
import { LonghandError } from "../../errors.ts";
import { quoteForShell } from "../../hosts/shell-line.ts";
import type { Memory } from "../../memory/memory.ts";
import { parseLocation } from "../../search/location.ts";
import { compact } from "../../text/compact.ts";
import { countOf } from "../../text/count-of.ts";
import { formatBytes } from "../../text/figures.ts";
import { showHidden, showOnOneLine } from "../../text/visible.ts";
import type { CommandContext } from "../command.ts";
import { renderNumbered, type View } from "../output.ts";
import { withProgress } from "../progress-bar.ts";
import { withMemory } from "../with-memory.ts";

type Listed = Awaited<ReturnType<Memory["sessions"]["list"]>>;
type Shown = Awaited<ReturnType<Memory["sessions"]["show"]>>;
type Candidates = Awaited<ReturnType<Memory["sessions"]["candidates"]>>;

interface SessionsInput {
  readonly action: string;
  readonly target?: string;
  readonly yes?: boolean;
  readonly turns?: number;
}

export async function runSessions(context: CommandContext, input: SessionsInput): Promise<void> {
  if (input.action !== "import" && input.yes) throw misplaced("--yes", "import");
  if (input.action !== "show" && input.turns !== undefined) throw misplaced("--turns", "show");
  await withMemory(context, async (memory, settings) => {
    if (input.action === "list") await list(context, memory, settings, input);
    else if (input.action === "import") await runImport(context, memory, settings, input);
    else await show(context, memory, input);
  });
}

async function list(
  { output }: CommandContext,
  { sessions }: Memory,
  settings: Settings,
  { target }: SessionsInput,
): Promise<void> {
  if (target !== undefined) throw misplaced(JSON.stringify(target.slice(0, 60)), "show or import");
  const listed = await sessions.list();
  const known = listed.filter(({ format }) => format !== null);
  output.show({ sessions: listed, isIndexing: isIndexing(settings) }, (view) => renderList(known, view));
  if (known.length === 0)
    output.note("No transcripts yet. Look for those of other programs: longhand sessions import");
  const others = listed.length - known.length;
  if (others > 0) output.note(`${countOf(others, "file")} of no known format beside them.`);
  output.note(adviseIndexing(settings));
}

function renderList(listed: Listed, { paint }: View): string {
  const width = Math.max(0, ...listed.map(({ id }) => showOnOneLine(id).length));
  return listed
    .map(({ id, date, format, turns, malformed, sizeBytes, scope, isImported }) =>
      compact([
        paint("cyan", showOnOneLine(id).padEnd(width)),
        paint("yellow", (date ?? "").padEnd(10)),
        (format ?? "").padEnd(13),
        turns === null ? "not indexed" : countOf(turns, "turn"),
        paint("dim", formatBytes(sizeBytes)),
        malformed && malformed > 0 && paint("red", countOf(malformed, "malformed line")),
        scope === "shared" && "shared",
        isImported && paint("dim", "imported"),
      ]).join("  "),
    )
    .join("\n");
}

async function show(
  { output }: CommandContext,
  { sessions }: Memory,
  { target, turns }: SessionsInput,
): Promise<void> {
  if (target === undefined) {
    throw new LonghandError("usage", "`longhand sessions show` needs the id of a transcript.", {
      hint: "Write `longhand sessions show ID` or ID:LINE; `longhand sessions list` names them.",
    });
  }
  const { path, from, to } = parseLocation(target);
  const shown = await sessions.show({ id: path, from, to, maxTurns: turns });
  output.show(shown, (view) => renderTurns(shown, view));
  if (shown.turns.length === 0) output.note("This transcript has no messages.");
  if (shown.nextFrom !== undefined)
    output.note(
      `Continue with: longhand sessions show ${showOnOneLine(quoteForShell(`${shown.id}:${shown.nextFrom}`))}`,
    );
}

function renderTurns({ turns }: Shown, view: View): string {
  const digits = String(turns.at(-1)?.line ?? 0).length;
  return turns
    .map(({ line, text }) => renderNumbered({ number: line, digits, text: showHidden(text) }, view))
    .join("\n");
}

async function runImport(
  { output, currentDir, signal }: CommandContext,
  memory: Memory,
  settings: Settings,
  { target, yes = false }: SessionsInput,
): Promise<void> {
  const path = target === undefined ? undefined : resolve(currentDir, target);
  if (path !== undefined && !existsSync(path)) {
    throw new LonghandError("usage", `There is nothing to import at ${path}.`, {
      hint: "Name a transcript, an export (conversations.json), or a folder with such files.",
    });
  }
  const candidates = await memory.sessions.candidates(path === undefined ? undefined : [path]);
  const isNew = candidates.filter(({ isKnown }) => !isKnown);
  const imported = yes ? await memory.sessions.import(isNew.map((each) => each.path)) : [];
  output.show({ candidates, imported, isIndexing: isIndexing(settings) }, (view) =>
    renderCandidates(candidates, view),
  );
  if (candidates.length === 0) output.note("No transcripts of a known format were found.");
  else if (!yes && isNew.length > 0) {
    const named = target === undefined ? "" : ` ${showOnOneLine(quoteForShell(target))}`;
    output.note(`Nothing was changed. To import them where they are: longhand sessions import${named} --yes`);
  }
  if (imported.length > 0) {
    const files = isNew.reduce((sum, each) => sum + (imported.includes(each.path) ? each.files : 0), 0);
    output.note(`Imported ${countOf(files, "transcript")}; the files stay where they are.`);
  }
  output.note(adviseIndexing(settings));
  if (imported.length === 0 || !isIndexing(settings)) return;
  await withProgress(output.bar, (progress) =>
    memory.sync({ reason: "import", signal, progress: progress.report }),
  );
  output.note(await describeImported(memory, imported));
}

/** The outcome for the files, not their number: a file from which nothing was read is not a success. */
async function describeImported({ sessions }: Memory, imported: readonly string[]): Promise<string> {
  const isNew = (file: string) => imported.some((path) => file === path || file.startsWith(path + sep));
  const files = (await sessions.list()).filter(({ file }) => isNew(file));
  const read = files.filter(({ turns }) => turns !== null && turns > 0);
  const turns = read.reduce((sum, each) => sum + each.turns!, 0);
  const silent = files.length - read.length;
  return compact([
    `Indexed ${countOf(read.length, "transcript")} with ${countOf(turns, "turn")}.`,
    silent > 0 && `${countOf(silent, "file holds", "files hold")} no conversation that longhand can read.`,
  ]).join("\n");
}

function renderCandidates(candidates: Candidates, { paint }: View): string {
  return candidates
    .map(({ path, formats, files, sizeBytes, others, isKnown }) =>
      compact([
        paint("cyan", showOnOneLine(path)),
        formats.join(", "),
        countOf(files, "transcript"),
        paint("dim", formatBytes(sizeBytes)),
        others > 0 && paint("dim", `${countOf(others, "other file")} left out`),
        isKnown && paint("green", "imported before"),
      ]).join("  "),
    )
    .join("\n");
}

function isIndexing({ memorySearch }: Settings): boolean {
  return memorySearch.sources.includes("sessions");
}

function adviseIndexing(settings: Settings): string {
  if (isIndexing(settings)) return "";
  return (
    "Transcripts are not searched yet. To search them:\n" +
    "  longhand config set memorySearch.experimental.sessionMemory true\n" +
    `  longhand config set memorySearch.sources "['memory', 'sessions']"`
  );
}

function misplaced(what: string, action: string): LonghandError {
  return new LonghandError("usage", `${what} belongs to \`longhand sessions ${action}\`.`, {
    hint: "See `longhand sessions --help`.",
  });
}
