import { accessSync, constants, existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join, resolve, sep } from "node:path";
import { installCommand, qmdFailure } from "./driver.ts";

export interface FoundQmd {
  /** What to run: a program and the arguments that go before all others. */
  readonly program: string;
  readonly arguments: readonly string[];
  /** The package that the program belongs to, when it is one that can be seen into. */
  readonly packageFolder: string | null;
  /** Null when only the program itself can tell. */
  readonly version: string | null;
}

export interface FindOptions {
  /** Where programs are looked for, as the variable PATH has it. */
  readonly searchPath: string;
  /** Looked into after that, upwards: the folder of a package that may have brought qmd along. */
  readonly besideFolder: string;
}

const packageName = "@tobilu/qmd";

/** Looks for the program of this name, or at this path. Throws when there is none, and says how to get one. */
export function findQmd(command: string, { searchPath, besideFolder }: FindOptions): FoundQmd {
  const isPath = command.includes("/") || command.includes(sep);
  const places = isPath
    ? [resolve(command)]
    : [...searchPath.split(delimiter).filter(isAbsolute), ...binFolders(besideFolder)].map((folder) =>
        join(folder, command),
      );
  const file = places.find(isProgram);
  if (file === undefined) {
    const reason = isPath ? `there is no program at ${command}` : `there is no program named ${command}`;
    throw qmdFailure(`qmd is not installed: ${reason}`, {
      hint: `Install it with: ${installCommand}. Or name the program in memory.qmd.command.`,
    });
  }
  const packageFolder = findPackage(realpathSync(file));
  const version = packageFolder === null ? null : readVersion(packageFolder);
  const entry = packageFolder === null ? null : join(packageFolder, "dist", "cli", "qmd.js");
  // Run by the Node that runs us: another one on the search path may be too old for it, and then ends without a word.
  return entry !== null && existsSync(entry)
    ? { program: process.execPath, arguments: [entry], packageFolder, version }
    : { program: file, arguments: [], packageFolder: null, version };
}

/** The oldest version whose library and command line are as they are used here. */
const oldest = [2, 8] as const;

/** Null when the version will do. */
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

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

function findPackage(file: string): string | null {
  for (let folder = dirname(file); dirname(folder) !== folder; folder = dirname(folder)) {
    if (readManifest(folder)?.name === packageName) return folder;
  }
  return null;
}

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
