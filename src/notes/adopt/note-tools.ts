import { findPatternProblem } from "../daily-pattern.ts";

/** What can be asked of a folder that is to be adopted. Paths are relative to it. */
export interface FolderLook {
  hasFolder(path: string): boolean;
  /** The text of a settings file; null when there is none that can be read. */
  readText(path: string): string | null;
  /** Names of the folders at the top. */
  readonly folders: readonly string[];
}

/** What the settings of a note-taking program say about its folder. */
export interface FoundTool {
  readonly name: string;
  /** Where it puts the note of a day, as `notes.daily` is written; absent where it does not say. */
  readonly daily?: string;
  /** What is no note of its owner: templates, backups, drawings. In gitignore syntax. */
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

/** Its settings are EDN, of which two texts are wanted. Backups of pages lie beside them. */
async function findLogseq(folder: FolderLook): Promise<FoundTool | null> {
  const config = folder.readText("logseq/config.edn");
  if (config === null) return null;
  const lines = config.replace(/^\s*;.*$/gm, "");
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

/** A form that longhand does not know (weeks, hours) is left out: what is written must be read again. */
function dailyOf(
  place: { readonly folder: string | undefined; readonly format: string } | null | undefined,
): Pick<FoundTool, "daily"> {
  if (!place) return {};
  const date = place.format === isoFormat ? "{date}" : `{date:${place.format}}`;
  const folder = trimSlashes(place.folder ?? "");
  const daily = `${folder === "" ? "" : `${folder}/`}${date}.md`;
  return findPatternProblem(daily) === null ? { daily } : {};
}

/** The letters of Java's and other formats as moment.js has them. */
function toMoment(format: string): string {
  return format
    .replaceAll(/y+/g, "YYYY")
    .replaceAll(/(?<!d)d{1,2}(?!d)/g, (run) => run.toUpperCase())
    .replaceAll(/E{4,}/g, "dddd")
    .replaceAll(/E{1,3}/g, "ddd");
}

/** Patterns for folders, from the top; what gitignore would take for a wildcard stands for itself. */
function excludeFolders(folders: readonly (string | undefined)[]): string[] {
  const names = folders.map((folder) => trimSlashes(folder ?? "")).filter((name) => name !== "");
  return [...new Set(names)].map((name) => `/${name.replace(/[\\[\]*?!#]| $/g, "\\$&")}/`);
}

function trimSlashes(path: string): string {
  return path.replace(/^\/+|\/+$/g, "");
}

type Fields = Readonly<Record<string, unknown>>;

/** Settings that cannot be understood say nothing: somebody else's file must not keep a folder from being adopted. */
async function parseFields(text: string | null, parse?: (text: string) => unknown): Promise<Fields | null> {
  if (text === null) return null;
  try {
    const value = parse ? parse(text) : (await import("json5")).default.parse(text.replace(/^\ufeff/, ""));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : null;
  } catch {
    return null;
  }
}

function fieldOf(fields: Fields | null | undefined, name: string): Fields | null {
  const value = fields?.[name];
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : null;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}
