import { readdirSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { systemErrorCode } from "../../errors.ts";
import { findTranscripts } from "./find-transcripts.ts";
import type { FormatName } from "./format.ts";
import { peekTranscript } from "./peek.ts";

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
  /** What relative paths start from. */
  readonly currentDir: string;
}

/** Looks into the given files and folders, or where other programs keep their transcripts. What is empty is left out. */
export function lookForImports({
  places: { home, currentDir },
  paths,
  known,
}: {
  places: ImportPlaces;
  paths: readonly string[] | undefined;
  known: readonly string[];
}): ImportCandidate[] {
  const named = paths?.length ? paths.map((path) => resolve(currentDir, path)) : defaultPlaces(home);
  const asked = named.map(followLink);
  return [...new Set(asked)]
    .map((path) => describe(path, known.includes(path)))
    .filter(({ files }) => files > 0);
}

function defaultPlaces(home: string): string[] {
  const gemini = join(home, ".gemini", "tmp");
  return [
    join(home, ".claude", "projects"),
    join(home, ".codex", "sessions"),
    ...foldersIn(gemini).map((name) => join(gemini, name, "chats")),
  ];
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

function describe(path: string, isKnown: boolean): ImportCandidate {
  const { found } = findTranscripts({ sessionsDir: null, imports: [path], keys: { keyOf: () => undefined } });
  const formats = new Set<FormatName>();
  let [files, sizeBytes] = [0, 0];
  for (const { file, stats } of found) {
    const format = peekTranscript(file, file)?.format ?? null;
    if (format === null) continue;
    formats.add(format);
    files++;
    sizeBytes += Number(stats.size);
  }
  return { path, formats: [...formats].sort(), files, sizeBytes, others: found.length - files, isKnown };
}
