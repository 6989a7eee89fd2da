import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { LonghandError, systemErrorCode } from "../../errors.ts";
import { renameFileSync } from "../../rename-file.ts";
import { isFields } from "./format.ts";

/** Files and folders of other programs that an agent reads as its own sessions. They stay where they are. */
export interface Imports {
  /** Absolute, in the order in which they were added. */
  readonly paths: readonly string[];
}

function importsPath(sessionsDir: string): string {
  return join(sessionsDir, "imports.json");
}

/** A registry that is not there is empty; one that cannot be understood is an error, so that nothing is forgotten. */
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
 * Adds paths and gives those that were not there yet. The file is replaced as a whole, so a reader sees the old or the
 * new one; of two who add at once, one has to wait.
 */
export function addImports(sessionsDir: string, added: readonly string[]): readonly string[] {
  const known = readImports(sessionsDir).paths;
  const fresh = added.filter((path) => !known.includes(path));
  if (fresh.length === 0) return fresh;
  const paths = [...known, ...fresh];
  const file = importsPath(sessionsDir);
  const draft = `${file}.${process.pid}.tmp`;
  try {
    mkdirSync(sessionsDir, { recursive: true, mode: 0o700 });
    const fd = openSync(draft, "w", 0o600);
    try {
      writeSync(fd, `${JSON.stringify({ version: 1, paths }, null, 2)}\n`);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameFileSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw unusable(file, `the system says ${systemErrorCode(error) ?? String(error)}`, error);
  }
  return fresh;
}

function unusable(file: string, reason: string, cause?: unknown): LonghandError {
  return new LonghandError(
    "session-unusable",
    `The list of imported transcripts ${file} cannot be used: ${reason}.`,
    {
      hint: "Correct the file, or delete it and import again: longhand sessions import.",
      cause,
    },
  );
}
