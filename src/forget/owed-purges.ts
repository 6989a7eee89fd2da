import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { systemErrorCode } from "../errors.ts";
import { renameFileSync } from "../rename-file.ts";

/** What a forget has to purge from the index, without the text itself. */
export interface OwedPurge {
  readonly id: string;
  readonly at: string;
  /** The notes that it edits, with the SHA-256 that each had before. */
  readonly notes: readonly { readonly path: string; readonly before: string }[];
}

/**
 * Purges that are written down before notes are edited, and crossed out when they are done. What a killed process
 * leaves here is finished by the next one.
 */
export interface OwedPurges {
  /** Cheap when there is none. */
  list(): readonly OwedPurge[];
  /** On the disk when it returns. */
  add(purge: Omit<OwedPurge, "id">): OwedPurge;
  remove(ids: readonly string[]): void;
}

const extension = ".json";

/** One file each in a folder that is there only while something is owed. */
export function createOwedPurges(folder: string): OwedPurges {
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
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const draft = join(folder, `${id}.tmp`);
      try {
        writeDurably(draft, JSON.stringify(purge));
        renameFileSync(draft, join(folder, id + extension));
      } catch (error) {
        rmSync(draft, { force: true });
        removeIfEmpty(folder);
        throw error;
      }
      syncFolder(folder);
      syncFolder(dirname(folder));
      return { id, ...purge };
    },
    remove(ids) {
      for (const id of ids) rmSync(join(folder, id + extension), { force: true });
      removeIfEmpty(folder);
    },
  };
}

/** Null when it has just been crossed out. One that cannot be understood still says that something is owed. */
function read(folder: string, name: string): OwedPurge | null {
  const id = name.slice(0, -extension.length);
  let text: string;
  try {
    text = readFileSync(join(folder, name), "utf8");
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return systemErrorCode(error) === "ENOENT" ? null : { id, at: "", notes: [] };
  }
  try {
    const { at, notes } = JSON.parse(text) as Partial<OwedPurge>;
    const isNote = (each: unknown): boolean =>
      typeof (each as { path?: unknown } | null)?.path === "string" &&
      typeof (each as { before?: unknown }).before === "string";
    return { id, at: String(at ?? ""), notes: Array.isArray(notes) ? notes.filter(isNote) : [] };
  } catch {
    return { id, at: "", notes: [] };
  }
}

function writeDurably(file: string, text: string): void {
  const fd = openSync(file, "wx", 0o600);
  try {
    writeSync(fd, text);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** A folder cannot be opened everywhere, and then needs no syncing. */
function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const fd = openSync(folder, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Drafts of killed processes go with the last record. */
function removeIfEmpty(folder: string): void {
  try {
    const names = listNames(folder);
    if (names.some((name) => name.endsWith(extension))) return;
    rmdirSync(folder);
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
  }
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return [];
  }
}
