import { existsSync, readFileSync, rmdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Engine, PurgeOutcome } from "../engines/engine.ts";
import { LonghandError, systemErrorCode, unlessRefused } from "../errors.ts";
import { removeFileSync, replaceFileSync, syncFolder } from "../files.ts";
import { entriesPath } from "../notes/note-path.ts";
import type { Notes } from "../notes/notes.ts";
import { listNames } from "../paths.ts";
import { fieldsOf } from "../text/fields.ts";
import { parseJson } from "../text/parse-json.ts";

/** What a forget has to purge from the index, without the text itself. */
export interface PurgeRecord {
  readonly id: string;
  readonly at: string;
  /** The notes it edits, with the SHA-256 of each before. */
  readonly notes: readonly { readonly path: string; readonly before: string }[];
}

/**
 * Purges are recorded before notes are edited and removed when they are done. The next process finishes what a killed
 * one left.
 */
export interface PurgeRecords {
  /** Cheap if there are none. */
  list(): readonly PurgeRecord[];
  /** Durable when it returns. */
  add(purge: Omit<PurgeRecord, "id">): PurgeRecord;
  remove(ids: readonly string[]): void;
}

const extension = ".json";

/** One file per purge, in a folder that exists only while purges are pending. */
export function createPurgeRecords(folder: string): PurgeRecords {
  return {
    list() {
      if (!existsSync(folder)) return [];
      return listNames(folder)
        .filter((name) => name.endsWith(extension))
        .flatMap((name) => read(folder, name) ?? [])
        .sort((a, b) => (a.at < b.at ? -1 : 1));
    },
    add(purge) {
      const id = crypto.randomUUID();
      try {
        replaceFileSync(join(folder, id + extension), JSON.stringify(purge));
      } catch (error) {
        removeIfEmpty(folder);
        throw error;
      }
      syncFolder(dirname(folder));
      return { id, ...purge };
    },
    remove(ids) {
      for (const id of ids) {
        // One that stays only makes the next process purge once more.
        unlessRefused(
          () => removeFileSync(join(folder, id + extension)),
          () => {},
        );
      }
      removeIfEmpty(folder);
    },
  };
}

/** Null if it has just been removed. An unreadable record still means that a purge is pending. */
function read(folder: string, name: string): PurgeRecord | null {
  const id = name.slice(0, -extension.length);
  let text: string;
  try {
    text = readFileSync(join(folder, name), "utf8");
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return systemErrorCode(error) === "ENOENT" ? null : { id, at: "", notes: [] };
  }
  const { at, notes } = fieldsOf(parseJson(text));
  const isNote = (each: unknown): boolean => {
    const { path, before } = fieldsOf(each);
    return typeof path === "string" && typeof before === "string";
  };
  return { id, at: String(at ?? ""), notes: Array.isArray(notes) ? notes.filter(isNote) : [] };
}

/** Temporary files of killed processes are removed with the last record. */
function removeIfEmpty(folder: string): void {
  try {
    const names = listNames(folder);
    if (names.some((name) => name.endsWith(extension))) return;
    rmdirSync(folder);
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
  }
}

export interface FinishParts {
  readonly notes: Notes;
  readonly openEngine: () => Promise<Engine>;
  readonly records: PurgeRecords;
  /** Removes what is derived from the entries besides the index; null on success, otherwise the reason. */
  readonly removeEntries: () => Promise<string | null>;
  readonly purgeReceipts: PurgeReceipts;
}

/**
 * Removes text from consolidation receipts, which hold earlier versions of notes: the given lines and everything about
 * the given notes, or all of it (null). Null on success, otherwise the reason.
 */
type PurgeReceipts = (
  forgotten: { readonly texts: readonly string[]; readonly paths: readonly string[] } | null,
) => Promise<string | null>;

/**
 * Finishes the purges that killed processes left. The text is no longer known, so it cannot be searched for; instead
 * the whole index is rewritten, which leaves nothing but the content of its rows. The caller holds the forget lock.
 * Returns the reason if it is not done; null on success.
 */
export async function finishPendingPurges({
  notes,
  openEngine,
  records,
  removeEntries,
  purgeReceipts,
}: FinishParts): Promise<string | null> {
  const purges = records.list();
  const begun: PurgeRecord[] = [];
  for (const purge of purges) {
    if (await isUntouched(notes, purge)) records.remove([purge.id]);
    else begun.push(purge);
  }
  await notes.removeLeftovers();
  if (begun.length === 0) return null;
  const paths = [...new Set(begun.flatMap((purge) => purge.notes.map(({ path }) => path)))];
  const gone: string[] = [];
  for (const path of paths) if ((await hashOf(notes, path)) === null) gone.push(path);
  const entriesProblem = paths.includes(entriesPath) ? await removeEntries() : null;
  const problem = entriesProblem ?? (await purgeReceipts(null));
  if (problem !== null) return problem;
  const purge = await (await openEngine()).preparePurge(paths);
  const outcome = await purge({ gone, texts: [], rewrite: true });
  if (!isDone(outcome)) return outcome.problems?.[0] ?? outcome.detail ?? "pieces of it were found";
  records.remove(begun.map(({ id }) => id));
  return null;
}

/** Whether a purge has nothing left to do, as far as it can tell. */
export function isDone({ rawSearch, problems = [] }: PurgeOutcome): boolean {
  return problems.length === 0 && rawSearch !== "found" && rawSearch !== "not-searched";
}

/** The process died before it edited anything. */
export async function isUntouched(notes: Notes, purge: PurgeRecord): Promise<boolean> {
  if (purge.notes.length === 0) return false;
  for (const { path, before } of purge.notes) if ((await hashOf(notes, path)) !== before) return false;
  return true;
}

/** Null if there is no such note, or it cannot be read. */
export async function hashOf(notes: Notes, path: string): Promise<string | null> {
  try {
    return (await notes.readWhole({ path }))?.hash ?? null;
  } catch (error) {
    if (!(error instanceof LonghandError)) throw error;
    return null;
  }
}
