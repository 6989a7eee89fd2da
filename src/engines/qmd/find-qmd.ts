import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join, resolve, sep } from "node:path";
import { isProgram } from "../../paths.ts";
import { installCommand, qmdFailure } from "./driver.ts";

export interface FoundQmd {
  /** A program and its leading arguments. */
  readonly program: string;
  readonly arguments: readonly string[];
  /** The package of the program, if it could be identified. */
  readonly packageFolder: string | null;
  /** Null if only the program itself knows. */
  readonly version: string | null;
}

export interface FindOptions {
  /** The value of PATH. */
  readonly searchPath: string;
  /** Searched next, with its parent folders: a package that may have installed qmd. */
  readonly besideFolder: string;
  /** For tests. */
  readonly platform?: NodeJS.Platform;
}

const packageName = "@tobilu/qmd";

/** Finds the program by name or path. Throws if there is none, with instructions to install it. */
export function findQmd(
  command: string,
  { searchPath, besideFolder, platform = process.platform }: FindOptions,
): FoundQmd {
  const isPath = command.includes("/") || command.includes(sep);
  const folders = [...searchPath.split(delimiter).filter(isAbsolute), ...binFolders(besideFolder)];
  const places = isPath ? [resolve(command)] : folders.map((folder) => join(folder, command));
  const endings = platform === "win32" ? [".exe", ".cmd", ""] : [""];
  const file = places.flatMap((place) => endings.map((ending) => place + ending)).find(isProgram);
  if (file === undefined) {
    const reason = isPath ? `there is no program at ${command}` : `there is no program named ${command}`;
    throw qmdFailure(`qmd is not installed: ${reason}`, {
      hint: `Install it with: ${installCommand}. Or name the program in memory.qmd.command.`,
    });
  }
  const packageFolder = findPackage(realpathSync(file)) ?? findBehindScript(file);
  const version = packageFolder === null ? null : readVersion(packageFolder);
  const entry = packageFolder === null ? null : join(packageFolder, "dist", "cli", "qmd.js");
  // Run by our own Node: another one on the search path may be too old for it, and would exit silently.
  return entry !== null && existsSync(entry)
    ? { program: process.execPath, arguments: [entry], packageFolder, version }
    : { program: file, arguments: [], packageFolder: null, version };
}

/** The oldest version whose library and command line work the way they are used here. */
const oldest = [2, 8] as const;

/** Null if the version is supported. */
export function findVersionProblem(version: string): string | null {
  const numbers = /(\d+)\.(\d+)\.\d+/.exec(version);
  if (numbers === null) return `it names no version: ${JSON.stringify(version.slice(0, 60))}`;
  const [major, minor] = [Number(numbers[1]), Number(numbers[2])];
  const isOld = major < oldest[0] || (major === oldest[0] && minor < oldest[1]);
  return isOld ? `version ${numbers[0]} is too old, ${oldest.join(".")} is needed` : null;
}

function binFolders(folder: string): string[] {
  const folders: string[] = [];
  for (let at = folder; ; at = dirname(at)) {
    folders.push(join(at, "node_modules", ".bin"));
    if (dirname(at) === at) return folders;
  }
}

function findPackage(file: string): string | null {
  for (let folder = dirname(file); dirname(folder) !== folder; folder = dirname(folder)) {
    if (readManifest(folder)?.name === packageName) return folder;
  }
  return null;
}

/** On Windows, package managers put no links on the search path, but scripts that name a file of the package. */
function findBehindScript(file: string): string | null {
  if (statSync(file).size > maxScriptBytes) return null;
  const named = readFileSync(file, "utf8").matchAll(/"(?:%~?dp0%?|\$basedir)[\\/]([^"\n]+)"/g);
  for (const [, path = ""] of named) {
    const found = findPackage(join(dirname(file), path.replaceAll("\\", "/")));
    if (found !== null) return found;
  }
  return null;
}

const maxScriptBytes = 8192;

function readVersion(folder: string): string | null {
  const version = readManifest(folder)?.version;
  return typeof version === "string" ? version : null;
}

function readManifest(folder: string): { name?: unknown; version?: unknown } | null {
  try {
    return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  } catch {
    return null;
  }
}
