import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { LonghandError, systemErrorCode } from "../../errors.ts";
import { replaceFileSync } from "../../files.ts";
import { kindOf, realPath } from "../../paths.ts";
import { isFields } from "../../text/fields.ts";
import { findTranscripts } from "./find-transcripts.ts";
import type { FormatName } from "./format.ts";
import { peekTranscript } from "./formats.ts";
import type { ReadTranscriptDatabase } from "./open-transcript.ts";
import { noSessionKeys } from "./session-keys.ts";

/** Files and folders of other programs that an agent reads as its own sessions. They stay where they are. */
interface Imports {
  /** Absolute, in the order in which they were added. */
  readonly paths: readonly string[];
}

function importsPath(sessionsDir: string): string {
  return join(sessionsDir, "imports.json");
}

/** A missing list is empty; one that cannot be parsed is an error, so that no import is lost. */
export function readImports(sessionsDir: string): Imports {
  const file = importsPath(sessionsDir);
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return { paths: [] };
    throw unusable(file, `the system says ${code ?? String(error)}`, error);
  }
  try {
    const value: unknown = JSON.parse(text);
    const paths: unknown = isFields(value) ? value["paths"] : undefined;
    if (Array.isArray(paths) && paths.every((path) => typeof path === "string")) return { paths };
  } catch (error) {
    throw unusable(file, "it is no JSON", error);
  }
  throw unusable(file, 'it has no list of "paths"');
}

/**
 * Adds paths and returns the new ones. The file is replaced atomically. The caller holds the lock.
 */
export function addImports(sessionsDir: string, added: readonly string[]): readonly string[] {
  const known = readImports(sessionsDir).paths;
  const fresh = added.filter((path) => !known.includes(path));
  if (fresh.length === 0) return fresh;
  const paths = [...known, ...fresh];
  const file = importsPath(sessionsDir);
  try {
    replaceFileSync(file, `${JSON.stringify({ version: 1, paths }, null, 2)}\n`);
  } catch (error) {
    throw unusable(file, `the system says ${systemErrorCode(error) ?? String(error)}`, error);
  }
  return fresh;
}

function unusable(file: string, reason: string, cause?: unknown): LonghandError {
  return new LonghandError(
    "session-unusable",
    `The list of imported transcripts ${file} cannot be used: ${reason}.`,
    { hint: "Correct the file, or delete it and import again: longhand sessions import.", cause },
  );
}

/** A file or folder with transcripts of another program. */
export interface ImportCandidate {
  /** Absolute. */
  readonly path: string;
  readonly formats: readonly FormatName[];
  /** Files of a known format, and their size. */
  readonly files: number;
  readonly sizeBytes: number;
  /** Other files in the same folders, which are not transcripts. */
  readonly others: number;
  readonly isKnown: boolean;
}

export interface ImportLocations {
  readonly home: string;
  /** Where Codex keeps its files. */
  readonly codexHome: string;
  /** Where OpenCode keeps its database. */
  readonly opencodeHome: string;
  /** The base of relative paths. */
  readonly currentDir: string;
  /** Whose transcripts to look for if a program has several agents. */
  readonly agentId: string;
  /** Folders in which OpenClaw may keep its state. */
  readonly openclawDirs: readonly string[];
}

/** Searches the given files and folders, or the usual locations of other programs. Empty ones are omitted. */
export function findImports({
  locations,
  paths,
  known,
  readDatabase,
}: {
  locations: ImportLocations;
  paths: readonly string[] | undefined;
  known: readonly string[];
  readDatabase: ReadTranscriptDatabase;
}): ImportCandidate[] {
  const named = paths?.length
    ? paths.flatMap((path) => namedLocations(resolve(locations.currentDir, path), locations))
    : defaultLocations(locations);
  const asked = named.map(followLink);
  return [...new Set(asked)]
    .map((path) => describe(path, known.includes(path), readDatabase))
    .filter(({ files }) => files > 0);
}

function defaultLocations(locations: ImportLocations): string[] {
  const { home, codexHome, opencodeHome, openclawDirs } = locations;
  const gemini = join(home, ".gemini", "tmp");
  return [
    join(home, ".claude", "projects"),
    join(codexHome, "sessions"),
    join(opencodeHome, "opencode.db"),
    ...foldersIn(gemini).map((name) => join(gemini, name, "chats")),
    ...openclawDirs.flatMap((folder) => openclawLocations(folder, locations)),
  ];
}

/** Narrows a state folder of OpenClaw to its transcripts: it also holds credentials. */
function namedLocations(path: string, locations: ImportLocations): string[] {
  const found = openclawLocations(path, locations);
  return found.length > 0 ? found : [path];
}

/** Where OpenClaw keeps the transcripts of the agent of this name, otherwise of its main agent. */
function openclawLocations(stateDir: string, { agentId }: ImportLocations): string[] {
  const agents = foldersIn(join(stateDir, "agents"));
  const own = [agentId.toLowerCase(), "main"].find((id) => agents.includes(id));
  if (own === undefined) return [];
  const folder = join(stateDir, "agents", own);
  return [join(folder, "sessions"), join(folder, "agent", "openclaw-agent.sqlite")];
}

/** A given path may be a link; links below it are not followed. */
function followLink(path: string): string {
  try {
    return realPath(path);
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return path;
  }
}

function foldersIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries
      .filter((entry) => kindOf(entry)?.isDirectory())
      .map(({ name }) => name)
      .sort();
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return [];
  }
}

function describe(path: string, isKnown: boolean, readDatabase: ReadTranscriptDatabase): ImportCandidate {
  const keysOf = () => noSessionKeys;
  const { found } = findTranscripts({ sessionsDir: null, imports: [path], keysOf, readDatabase });
  const formats = new Set<FormatName>();
  let [files, sizeBytes] = [0, 0];
  for (const each of found) {
    const format = peekTranscript(each)?.format ?? null;
    if (format === null) continue;
    formats.add(format);
    files++;
    sizeBytes += each.sizeBytes();
  }
  return { path, formats: [...formats].sort(), files, sizeBytes, others: found.length - files, isKnown };
}
