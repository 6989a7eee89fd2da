import { dirname, resolve } from "node:path";
import { homeOf } from "../../config/expand-path.ts";
import { describeOrigin } from "../../config/origin.ts";
import { resolveSettings, type Settings } from "../../config/settings.ts";
import { LonghandError } from "../../errors.ts";
import { quoteForShell } from "../../hosts/shell-line.ts";
import { isTrustedWorkspace, trustWorkspace } from "../../memory/workspace-trust.ts";
import { createDailyPattern, findPatternProblem } from "../../notes/daily-pattern.ts";
import { localTime } from "../../notes/local-time.ts";
import { type FolderSurvey, surveyFolder } from "../../notes/survey-folder.ts";
import { realFolder } from "../../notes/workspace.ts";
import { isFolder } from "../../paths.ts";
import type { SyncReport } from "../../sync/sync.ts";
import { compact } from "../../text/compact.ts";
import { countOf } from "../../text/count-of.ts";
import type { Fields } from "../../text/fields.ts";
import { showOnOneLine } from "../../text/visible.ts";
import { readAdoption, recordAdoption } from "../adoption-record.ts";
import type { CommandContext } from "../command.ts";
import { editConfig, withAgentValue, withValue } from "../edit-config.ts";
import { type Paint, renderSections, row } from "../output.ts";
import { checkFolder } from "../path-arguments.ts";
import { askLine } from "../read-input.ts";
import { wrapText } from "../text-width.ts";
import { locationsOf, withMemory } from "../with-memory.ts";
import { indexOnce, noteProblems, renderReport } from "./index.ts";

interface AdoptInput {
  readonly dir?: string;
  readonly newNotes?: string;
  readonly undo?: boolean;
  readonly index?: boolean;
}

/** A folder of Markdown files as it was found, and the plan for adopting it. */
interface Adoption {
  readonly workspace: string;
  readonly agent: string;
  readonly tool: string | null;
  readonly notes: number;
  readonly folders: number;
  readonly newNotes: string;
  readonly exclude: readonly string[];
  readonly skipped: number;
  readonly config: string;
  /** False if the folder was already adopted in the same way. */
  readonly changed: boolean;
}

export async function runAdopt(context: CommandContext, input: AdoptInput): Promise<void> {
  const { globals, output, now } = context;
  const workspace = chooseFolder(context, input.dir);
  const locations = { ...locationsOf(globals), workspace };
  const settings = await resolveSettings(locations);
  if (input.undo) return await undo(context, settings);
  const survey = await surveyFolder(workspace, { ...settings.memorySearch, signal: context.signal });
  const newNotes = await chooseNewNotes(context, { input, settings, survey });
  const own = settings.memorySearch.exclude;
  const { path: config, changed } = await editConfig(locations, (before) => {
    const set = (fields: typeof before, keys: readonly string[], value: unknown) =>
      withAgentValue(fields, settings, keys, value);
    const noted = set(set(before, ["notes", "include"], "all"), ["notes", "daily"], newNotes);
    // Recorded first: an unused record is harmless, but an adoption without a record cannot be undone exactly.
    remember(settings, entryOf(before, settings), survey.exclude);
    if (survey.exclude.length === 0) return noted;
    return set(noted, ["memorySearch", "exclude"], [...excludeOf(before, settings), ...survey.exclude]);
  });
  const adopted = await resolveSettings(locations);
  // A configuration inside the folder itself does not speak for the user.
  if (!isTrustedWorkspace(adopted)) await trustWorkspace(adopted.trust, workspace, now);
  const adoption: Adoption = {
    workspace,
    agent: adopted.agentId,
    tool: survey.tool,
    notes: survey.notes,
    folders: survey.folders,
    newNotes,
    exclude: [...own, ...survey.exclude],
    skipped: survey.skipped.filter(({ reason }) => reason !== "excluded").length,
    config,
    changed,
  };
  const show = (report?: SyncReport) =>
    output.show({ ...adoption, index: report }, (view) =>
      [
        renderSections([{ title: describeFolder(adoption), rows: rowsOf(adoption, adopted, now) }], view),
        ...(report ? [`\n${wrapText(renderReport(report, view.paint), view.width)}`] : []),
      ].join("\n"),
    );
  if (input.index === false || adopted.disabled) show();
  else {
    await withMemory({ ...context, globals: { ...globals, workspace } }, async (memory) => {
      const report = await indexOnce(memory, context, {});
      show(report);
      noteProblems(report, output);
    });
  }
  output.note(await describeReach(context, adopted));
  output.note(renderNextSteps(context, workspace, output.paintNote));
}

/** The named folder, otherwise the current one; never the home folder, which may contain other people's notes. */
function chooseFolder({ globals, currentDir }: CommandContext, dir: string | undefined): string {
  checkFolder(dir, globals);
  const folder = resolve(currentDir, dir ?? globals.workspace ?? ".");
  if (!isFolder(folder)) {
    throw new LonghandError("workspace-missing", `${showOnOneLine(folder)} is not a folder.`, {
      hint: "Name the folder that holds your Markdown files.",
    });
  }
  const real = realFolder(folder);
  if (real === realFolder(homeOf()) || real === dirname(real)) {
    throw new LonghandError(
      "usage",
      `${showOnOneLine(folder)} contains far more than notes, so it was not adopted.`,
      {
        hint: "Name the folder of your notes, such as: longhand adopt ~/notes",
      },
    );
  }
  return folder;
}

interface Choice {
  readonly input: AdoptInput;
  readonly settings: Settings;
  readonly survey: FolderSurvey;
}

/** The choice made earlier, on the command line or by an answer; otherwise what the folder suggests. */
async function chooseNewNotes(context: CommandContext, { input, settings, survey }: Choice): Promise<string> {
  if (input.newNotes !== undefined) return readNewNotes(input.newNotes, "--new-notes");
  if (settings.notes.include === "all") return settings.notes.daily;
  const { input: stdin, globals } = context;
  if (!stdin.isTTY || globals.json || globals.quiet) return survey.daily;
  const found = survey.tool === null ? "" : `This folder has the settings of ${survey.tool}.\n`;
  const question = `${found}Where should new notes go? Name a folder, or a path with {date}.\n[${survey.daily}] `;
  const answer = (await askLine(context, question)).trim();
  return answer === "" ? survey.daily : readNewNotes(answer, "That");
}

/** The name of a file, not of a folder. */
const otherFile = /\.(?:txt|text|markdown|mdx|org|rst|adoc|html?|docx?|rtf|pdf)$/i;

/** A folder means one note a day in that folder. */
function readNewNotes(text: string, name: string): string {
  const pattern = text.endsWith(".md") ? text : `${text.replace(/\/+$/, "")}/{date}.md`.replace(/^\.\//, "");
  const problem = otherFile.test(text) ? "must end in .md" : findPatternProblem(pattern);
  if (problem === null) return pattern;
  throw new LonghandError("usage", `${name} cannot be ${JSON.stringify(text.slice(0, 80))}: it ${problem}.`, {
    hint: "Give a folder such as Daily, or a path such as 'Daily/{date}.md', relative to the adopted folder.",
  });
}

interface AgentEntry extends Fields {
  readonly id: string;
  readonly notes?: Fields;
  readonly memorySearch?: { readonly exclude?: readonly string[] };
}

function entryOf(config: Fields, { agentId }: Settings): AgentEntry | null {
  const { list } = (config["agents"] ?? {}) as { list?: readonly AgentEntry[] };
  return list?.find(({ id }) => id === agentId) ?? null;
}

function excludeOf(config: Fields, settings: Settings): readonly string[] {
  return entryOf(config, settings)?.memorySearch?.exclude ?? [];
}

/** A folder that is adopted again keeps the record of its state before the first adoption. */
function remember(settings: Settings, before: AgentEntry | null, exclude: readonly string[]): void {
  const dir = realFolder(settings.workspaceDir);
  const { stateDir } = settings;
  const known = settings.notes.include === "all" ? readAdoption(stateDir, dir) : null;
  if (settings.notes.include === "all" && known === null) return;
  const added = [...(known?.exclude ?? []), ...exclude];
  recordAdoption(stateDir, dir, { dir, before: known === null ? before : known.before, exclude: added });
}

async function undo({ globals, output, signal }: CommandContext, settings: Settings): Promise<void> {
  const { workspaceDir: workspace, agentId: agent, stateDir } = settings;
  const locations = { ...locationsOf(globals), workspace };
  const dir = realFolder(workspace);
  const record = readAdoption(stateDir, dir);
  // Without a record, assume that adopting added the usual exclusions of its program.
  const added = record?.exclude ?? (await surveyFolder(workspace, { exclude: [], signal })).exclude;
  const { path: config, changed } = await editConfig(locations, (before) =>
    settings.notes.include === "all" ? withoutAdoption(before, settings, record?.before, added) : before,
  );
  recordAdoption(stateDir, dir, null);
  output.show({ workspace, agent, config, changed }, () =>
    changed
      ? `${showOnOneLine(workspace)} is no longer adopted.`
      : `${showOnOneLine(workspace)} was not adopted; nothing was changed.`,
  );
  if (changed) output.note("Only MEMORY.md and memory/ are read now. No file in the folder was changed.");
}

/** The configuration as if the folder had not been adopted; later changes are kept. */
function withoutAdoption(
  config: Fields,
  settings: Settings,
  /** The agent's entry before the adoption; null if there was none, undefined if that is unknown. */
  was: Fields | null | undefined,
  added: readonly string[],
): Fields {
  const set = (fields: Fields, keys: readonly string[], value: unknown) =>
    withAgentValue(fields, settings, keys, value);
  const old = (was ?? {}) as Partial<AgentEntry>;
  const kept = excludeOf(config, settings).filter((pattern) => !added.includes(pattern));
  const isEmpty = kept.length === 0 && old.memorySearch?.exclude === undefined;
  const restored = set(
    set(config, ["notes", "include"], old.notes?.["include"]),
    ["notes", "daily"],
    old.notes?.["daily"],
  );
  const next = set(restored, ["memorySearch", "exclude"], isEmpty ? undefined : kept);
  const left = Object.entries(entryOf(next, settings) ?? {}).filter(([key, value]) => !isBare(key, value));
  return was === null && left.length === 0 ? withoutEntry(next, settings) : next;
}

/** Whether this part of an agent's entry only names its folder. */
function isBare(key: string, value: unknown): boolean {
  if (key === "id" || key === "workspace") return true;
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

function withoutEntry(config: Fields, { agentId }: Settings): Fields {
  const { list = [] } = (config["agents"] ?? {}) as { list?: readonly AgentEntry[] };
  const others = list.filter(({ id }) => id !== agentId);
  return withValue(config, ["agents", "list"], others.length === 0 ? undefined : others);
}

function describeFolder({ workspace, tool, notes, folders, changed }: Adoption): string {
  const what = `${countOf(notes, "note")} in ${countOf(folders, "folder")}${tool === null ? "" : ` (${tool})`}`;
  return `${changed ? "Adopted" : "Adopted before:"} ${showOnOneLine(workspace)}: ${what}`;
}

function rowsOf(adoption: Adoption, settings: Settings, now: Date) {
  const { newNotes, exclude, skipped, config, agent } = adoption;
  const today = createDailyPattern(newNotes).pathOf(localTime(now, settings.userTimezone).day);
  const isPlain = today === newNotes;
  return compact([
    row("new notes", `${newNotes}${isPlain ? "" : `, today ${today}`}`),
    row("left alone", ["hidden folders", ...exclude].join(", ")),
    skipped > 0 &&
      row("skipped", `${countOf(skipped, "entry", "entries")}; longhand status names them`, "yellow"),
    row("settings", `${showOnOneLine(config)}, for the agent ${agent} alone`),
  ]);
}

/** A setting for all folders may override that of the current one. */
async function describeReach({ globals, output }: CommandContext, adopted: Settings): Promise<string> {
  const { workspace: _, ...locations } = locationsOf(globals);
  const inside = await resolveSettings({ ...locations, cwd: adopted.workspaceDir });
  if (realFolder(inside.workspaceDir) === realFolder(adopted.workspaceDir)) return "";
  const why = `${showOnOneLine(inside.workspaceDir)} is used even inside it (${describeOrigin(inside.workspaceOrigin)}).`;
  return `\n${output.paintNote("yellow", "note:")} ${why} Use this one with --workspace ${quoteForShell(adopted.workspaceDir)}.`;
}

function renderNextSteps({ currentDir }: CommandContext, workspace: string, paint: Paint): string {
  const isHere = realFolder(currentDir) === realFolder(workspace);
  const locations = isHere ? "" : ` --workspace ${quoteForShell(workspace)}`;
  return [
    "\nTry next:",
    `  ${paint("cyan", `longhand search "what did I decide about …"${locations}`)}`,
    `  ${paint("cyan", `longhand add "…"${locations}`)}`,
    `  ${paint("cyan", "longhand init --claude-code")}    ${isHere ? "" : "in that folder: "}connect an agent (or --codex, --cursor, …)`,
    `Undo with: ${paint("cyan", `longhand adopt --undo${isHere ? "" : ` ${quoteForShell(workspace)}`}`)}`,
  ].join("\n");
}
