import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { kindOf } from "../paths.ts";
import type { SkippedEntry } from "../sources/source.ts";
import { type Fields, isFields } from "../text/fields.ts";
import { createDailyPattern, dateOf, defaultDailyPattern, findPatternProblem } from "./daily-pattern.ts";
import { discoverNotes } from "./discover.ts";
import { loadIgnoreRules } from "./ignore-rules.ts";
import { ownLocations, resolveWorkspace } from "./note-locations.ts";

/** What a folder contains, before it is adopted. */
export interface FolderSurvey {
  /** The program it was made with; null for a plain folder. */
  readonly tool: string | null;
  /** Where new entries would go, judging by the existing notes. */
  readonly daily: string;
  /** What its program does not count as a note, in gitignore syntax. */
  readonly exclude: readonly string[];
  readonly notes: number;
  readonly folders: number;
  /** Markdown files that would stay out. */
  readonly skipped: readonly SkippedEntry[];
}

/** Surveys a folder without changing it or reading anything outside it. */
export async function surveyFolder(
  dir: string,
  { exclude, signal }: { readonly exclude: readonly string[]; readonly signal?: AbortSignal },
): Promise<FolderSurvey> {
  const root = resolveWorkspace(dir);
  const tool = await findNoteTool(lookInto(root));
  const added = (tool?.exclude ?? []).filter((pattern) => !exclude.includes(pattern));
  const rules = await loadIgnoreRules(root, [...exclude, ...added]);
  const locations = ownLocations({ workspaceDir: dir, include: "all" });
  const { entries, skipped } = await discoverNotes({ locations, rules, signal });
  const paths = entries.map(({ path }) => path);
  return {
    tool: tool?.name ?? null,
    daily: tool?.daily ?? guessDaily(paths) ?? defaultDailyPattern,
    exclude: added,
    notes: paths.length,
    folders: new Set(paths.map((path) => path.slice(0, path.lastIndexOf("/") + 1))).size,
    skipped,
  };
}

/** Settings files are small; a larger one, or a link that leads elsewhere, is not read. */
const maxSettingsBytes = 1024 * 1024;

function lookInto(root: string): FolderLook {
  const look = (path: string) => {
    try {
      return lstatSync(join(root, path), { throwIfNoEntry: false });
    } catch {
      return undefined;
    }
  };
  return {
    folders: readdirSync(root, { withFileTypes: true })
      .filter((entry) => kindOf(entry)?.isDirectory())
      .map(({ name }) => name),
    hasFolder: (path) => look(path)?.isDirectory() === true,
    readText(path) {
      const isInside = path.split("/").every((_, index, parts) => {
        const part = look(parts.slice(0, index + 1).join("/"));
        return index === parts.length - 1 ? part?.isFile() === true : part?.isDirectory() === true;
      });
      if (!isInside || (look(path)?.size ?? 0) > maxSettingsBytes) return null;
      try {
        return readFileSync(join(root, path), "utf8");
      } catch {
        return null;
      }
    },
  };
}

/** With fewer dated notes, their names may be chance. */
const minNotes = 3;

const names = [
  "YYYY-MM-DD",
  "YYYY_MM_DD",
  "YYYYMMDD",
  "YYYY.MM.DD",
  "DD.MM.YYYY",
  "YYYY-MM-DD dddd",
  "YYYY-MM-DD-dddd",
];
const folders = ["YYYY/MM/", "YYYY/MM-MMMM/", "YYYY/YYYY-MM/", "YYYY-MM/", "YYYY/", ""];
const formats = folders.flatMap((folder) => names.map((name) => folder + name)).concat("YYYY/MM/DD");

/** The pattern of a folder's daily notes, as `notes.daily` is written; null when there are too few to tell. */
export function guessDaily(paths: readonly string[]): string | null {
  const patterns = formats.map((format) => ({ format, end: createDailyPattern(`{date:${format}}.md`) }));
  const counts = new Map<string, number>();
  for (const path of paths) {
    const day = dateOf(path);
    if (day === null) continue;
    const found = patterns.find(
      ({ end }) => path === end.pathOf(day) || path.endsWith(`/${end.pathOf(day)}`),
    );
    if (found === undefined) continue;
    const before = path.slice(0, path.length - found.end.pathOf(day).length);
    const date = found.format === "YYYY-MM-DD" ? "{date}" : `{date:${found.format}}`;
    const pattern = `${before}${date}.md`;
    counts.set(pattern, (counts.get(pattern) ?? 0) + 1);
  }
  const [best] = [...counts].sort(([, left], [, right]) => right - left);
  return best !== undefined && best[1] >= minNotes ? best[0] : null;
}

/** Access to a folder that is to be adopted. Paths are relative to it. */
interface FolderLook {
  hasFolder(path: string): boolean;
  /** The text of a settings file; null when there is none that can be read. */
  readText(path: string): string | null;
  /** Names of the folders at the top. */
  readonly folders: readonly string[];
}

/** What the settings of a note-taking program say about its folder. */
interface FoundTool {
  readonly name: string;
  /** Where it puts the note of a day, as `notes.daily` is written; absent where it does not say. */
  readonly daily?: string;
  /** Files that are not notes: templates, backups, drawings. In gitignore syntax. */
  readonly exclude: readonly string[];
}

/** The program that a folder was made with, or null for a plain folder. */
export async function findNoteTool(folder: FolderLook): Promise<FoundTool | null> {
  for (const find of [findObsidian, findLogseq, findDendron, findFoam]) {
    const found = await find(folder);
    if (found !== null) return found;
  }
  return null;
}

async function findObsidian(folder: FolderLook): Promise<FoundTool | null> {
  if (!folder.hasFolder(".obsidian")) return null;
  const settings = async (name: string) => parseFields(folder.readText(`.obsidian/${name}`));
  const periodic = fieldOf(await settings("plugins/periodic-notes/data.json"), "daily");
  const core = await settings("daily-notes.json");
  const isPeriodic = periodic?.["enabled"] === true;
  const used = isPeriodic ? periodic : core;
  const templates = [
    textOf((await settings("templates.json"))?.["folder"]),
    textOf((await settings("plugins/templater-obsidian/data.json"))?.["templates_folder"]),
    ...folder.folders.filter((name) => /^[_\W]*templates?$/i.test(name)),
  ];
  return {
    name: "Obsidian",
    ...dailyOf(used && { folder: textOf(used["folder"]), format: textOf(used["format"]) ?? isoFormat }),
    exclude: [...excludeFolders(templates), "*.excalidraw.md"],
  };
}

/** Reads two strings out of its EDN settings. Backups of pages are in the same folder. */
async function findLogseq(folder: FolderLook): Promise<FoundTool | null> {
  const config = folder.readText("logseq/config.edn");
  if (config === null) return null;
  const lines = config.replace(/^[ \t]*;.*$/gm, "");
  const settingOf = (key: string) => new RegExp(`:${key}\\s+"([^"\\n]*)"`).exec(lines)?.[1];
  const format = toMoment(settingOf("journal/file-name-format") ?? "yyyy_MM_dd");
  return {
    name: "Logseq",
    ...dailyOf({ folder: settingOf("journals-directory") ?? "journals", format }),
    exclude: excludeFolders(["logseq"]),
  };
}

async function findDendron(folder: FolderLook): Promise<FoundTool | null> {
  const text = folder.readText("dendron.yml");
  if (text === null) return null;
  const { parse } = await import("yaml");
  const config = await parseFields(text, (source) => parse(source, { maxAliasCount: 20, logLevel: "error" }));
  const workspace = fieldOf(config, "workspace");
  const journal = fieldOf(workspace, "journal");
  const vaults = workspace?.["vaults"] ?? config?.["vaults"];
  const vault = textOf((Array.isArray(vaults) ? (vaults[0] as Fields | null) : null)?.["fsPath"]);
  const domain = textOf(journal?.["dailyDomain"]) ?? "daily";
  const name = textOf(journal?.["name"]) ?? "journal";
  const format = toMoment(textOf(journal?.["dateFormat"]) ?? "y.MM.dd");
  return {
    name: "Dendron",
    ...dailyOf({ folder: vault, format: `[${domain}.${name}.]${format}` }),
    exclude: ["templates.*.md"],
  };
}

async function findFoam(folder: FolderLook): Promise<FoundTool | null> {
  const settings = await parseFields(folder.readText(".vscode/settings.json"));
  const settingOf = (name: string) => textOf(settings?.[`foam.openDailyNote.${name}`]);
  const hasSettings = settings !== null && Object.keys(settings).some((key) => key.startsWith("foam."));
  if (!hasSettings && !folder.hasFolder(".foam")) return null;
  const format = settingOf("filenameFormat") ?? "isoDate";
  const directory = settingOf("directory");
  const letters =
    format === "isoDate" ? isoFormat : toMoment(format.replaceAll(/m+/g, (run) => run.toUpperCase()));
  return {
    name: "Foam",
    ...(directory === undefined && settingOf("filenameFormat") === undefined
      ? {}
      : dailyOf({ folder: directory, format: letters })),
    exclude: [],
  };
}

const isoFormat = "YYYY-MM-DD";

/** A format that longhand does not know (weeks, hours) is dropped: a written path must be readable again. */
function dailyOf(
  place: { readonly folder: string | undefined; readonly format: string } | null | undefined,
): Pick<FoundTool, "daily"> {
  if (!place) return {};
  const date = place.format === isoFormat ? "{date}" : `{date:${place.format}}`;
  const folder = trimSlashes(place.folder ?? "");
  const daily = `${folder === "" ? "" : `${folder}/`}${date}.md`;
  return findPatternProblem(daily) === null ? { daily } : {};
}

/** Translates the letters of Java's and other formats to those of moment.js. */
function toMoment(format: string): string {
  return format
    .replaceAll(/y+/g, "YYYY")
    .replaceAll(/(?<!d)d{1,2}(?!d)/g, (run) => run.toUpperCase())
    .replaceAll(/E{4,}/g, "dddd")
    .replaceAll(/E{1,3}/g, "ddd");
}

/** Patterns for folders, from the top, with gitignore's wildcards escaped. */
function excludeFolders(folders: readonly (string | undefined)[]): string[] {
  const names = folders.map((folder) => trimSlashes(folder ?? "")).filter((name) => name !== "");
  return [...new Set(names)].map((name) => `/${name.replace(/[\\[\]*?!#]| $/g, "\\$&")}/`);
}

function trimSlashes(path: string): string {
  return path.replace(/^\/+|\/+$/g, "");
}

/** Settings that cannot be parsed are ignored: another program's file must not keep a folder from being adopted. */
async function parseFields(text: string | null, parse?: (text: string) => unknown): Promise<Fields | null> {
  if (text === null) return null;
  try {
    const value = parse ? parse(text) : (await import("json5")).default.parse(text.replace(/^\ufeff/, ""));
    return isFields(value) ? value : null;
  } catch {
    return null;
  }
}

function fieldOf(fields: Fields | null | undefined, name: string): Fields | null {
  const value = fields?.[name];
  return isFields(value) ? value : null;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}
