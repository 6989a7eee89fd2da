import { readdirSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { systemErrorCode } from "../../errors.ts";
import { findTranscripts } from "./find-transcripts.ts";
import type { FormatName } from "./format.ts";
import { peekTranscript } from "./peek.ts";
import { noSessionKeys } from "./session-keys.ts";
import type { ReadTranscriptDatabase } from "./transcript-database.ts";

/** A file or folder with transcripts of another program. */
export interface ImportCandidate {
  /** Absolute. */
  readonly path: string;
  readonly formats: readonly FormatName[];
  /** Files of a known format, and their size. */
  readonly files: number;
  readonly sizeBytes: number;
  /** Files beside them that are no transcripts. */
  readonly others: number;
  readonly isKnown: boolean;
}

export interface ImportPlaces {
  readonly home: string;
  /** Where Codex keeps its files. */
  readonly codexHome: string;
  /** Where OpenCode keeps its database. */
  readonly opencodeHome: string;
  /** What relative paths start from. */
  readonly currentDir: string;
  /** Whose transcripts are looked for where a program has several agents. */
  readonly agentId: string;
  /** Folders in which OpenClaw may keep its state. */
  readonly openclawDirs: readonly string[];
}

/** Looks into the given files and folders, or where other programs keep their transcripts. What is empty is left out. */
export function lookForImports({
  places,
  paths,
  known,
  readDatabase,
}: {
  places: ImportPlaces;
  paths: readonly string[] | undefined;
  known: readonly string[];
  readDatabase: ReadTranscriptDatabase;
}): ImportCandidate[] {
  const named = paths?.length
    ? paths.flatMap((path) => namedPlaces(resolve(places.currentDir, path), places))
    : defaultPlaces(places);
  const asked = named.map(followLink);
  return [...new Set(asked)]
    .map((path) => describe(path, known.includes(path), readDatabase))
    .filter(({ files }) => files > 0);
}

function defaultPlaces(places: ImportPlaces): string[] {
  const { home, codexHome, opencodeHome, openclawDirs } = places;
  const gemini = join(home, ".gemini", "tmp");
  return [
    join(home, ".claude", "projects"),
    join(codexHome, "sessions"),
    join(opencodeHome, "opencode.db"),
    ...foldersIn(gemini).map((name) => join(gemini, name, "chats")),
    ...openclawDirs.flatMap((folder) => openclawPlaces(folder, places)),
  ];
}

/** A whole state folder also holds what is no transcript, credentials among it. */
function namedPlaces(path: string, places: ImportPlaces): string[] {
  const found = openclawPlaces(path, places);
  return found.length > 0 ? found : [path];
}

/** Where OpenClaw keeps the transcripts of the agent of this name, else of its main agent. */
function openclawPlaces(stateDir: string, { agentId }: ImportPlaces): string[] {
  const agents = foldersIn(join(stateDir, "agents"));
  const own = [agentId.toLowerCase(), "main"].find((id) => agents.includes(id));
  if (own === undefined) return [];
  const folder = join(stateDir, "agents", own);
  return [join(folder, "sessions"), join(folder, "agent", "openclaw-agent.sqlite")];
}

/** What somebody names may be a link, as in a home folder that is kept elsewhere; links below it are not followed. */
function followLink(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return path;
  }
}

function foldersIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory())
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
