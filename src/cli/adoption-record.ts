import { readFileSync } from "node:fs";
import { join } from "node:path";
import { systemErrorCode } from "../errors.ts";
import { replaceFile } from "../hosts/settings-file.ts";
import type { Fields } from "../text/fields.ts";

/** What `longhand adopt` found and added, so that `--undo` restores exactly that. */
interface AdoptionRecord {
  /** Real path of the folder. */
  readonly dir: string;
  /** The agent's configuration entry before the adoption; null if there was none. */
  readonly before: Fields | null;
  /** Patterns that were added to its `exclude`. */
  readonly exclude: readonly string[];
}

/** Null if the folder was not adopted, or before adoptions were recorded. */
export function readAdoption(stateDir: string, dir: string): AdoptionRecord | null {
  return readAll(fileIn(stateDir)).adoptions.find((each) => each.dir === dir) ?? null;
}

/** Saves the record of a folder, or deletes it. */
export function recordAdoption(stateDir: string, dir: string, record: AdoptionRecord | null): void {
  const file = fileIn(stateDir);
  const { text, adoptions } = readAll(file);
  const others = adoptions.filter((each) => each.dir !== dir);
  if (record === null && others.length === adoptions.length) return;
  const kept = record === null ? others : [...others, record];
  replaceFile(file, `${JSON.stringify({ version: 1, adoptions: kept }, null, 2)}\n`, text);
}

function fileIn(stateDir: string): string {
  return join(stateDir, "adopted-folders.json");
}

function readAll(file: string): { text: string | null; adoptions: readonly AdoptionRecord[] } {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return { text: null, adoptions: [] };
    throw error;
  }
  try {
    const { version, adoptions } = JSON.parse(text) as { version: unknown; adoptions: unknown };
    if (version === 1 && Array.isArray(adoptions)) return { text, adoptions: adoptions.filter(isRecord) };
  } catch {
    // Without a record, an undo assumes a folder that was adopted before records existed.
  }
  return { text, adoptions: [] };
}

function isRecord(value: unknown): value is AdoptionRecord {
  const { dir, before, exclude } = (value ?? {}) as Record<string, unknown>;
  return typeof dir === "string" && typeof before === "object" && Array.isArray(exclude);
}
