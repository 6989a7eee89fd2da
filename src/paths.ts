import {
  accessSync,
  constants,
  type Dirent,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
} from "node:fs";
import path, { join, type PlatformPath } from "node:path";
import { unlessRefused } from "./errors.ts";

/**
 * True for a folder itself and for everything below it. Both are absolute, with links resolved if links matter. Between
 * two drives or shares on Windows, the relative path is absolute.
 */
export function isWithin(place: string, folder: string, system: PlatformPath = path): boolean {
  const way = system.relative(folder, place);
  return way !== ".." && !way.startsWith(`..${system.sep}`) && !system.isAbsolute(way);
}

/**
 * The path with links resolved, spelled as the system lists it. Some Windows drives, such as RAM disks, do not report
 * it; there, links are resolved one by one, and the letter case is kept as written.
 */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (process.platform !== "win32") throw error;
    return realpathSync(path);
  }
}

/** Whether these are the stats of one file, whatever it is called. */
export function isSameFile<Id extends number | bigint>(
  one: FileId<Id> | null | undefined,
  other: FileId<Id> | null | undefined,
): boolean {
  return one != null && one.dev === other?.dev && one.ino === other.ino;
}

export interface FileId<Id extends number | bigint = bigint> {
  readonly dev: Id;
  readonly ino: Id;
}

/** The same for every name that leads to one file. */
export function fileIdOf({ dev, ino }: FileId): string {
  return `${dev}:${ino}`;
}

/** False for a path that does not exist; throws where the system refuses to say. */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Whether this user may run the file. On Windows every file counts as executable, so callers check the extension. */
export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/**
 * The type of a folder entry; undefined if it no longer exists. Windows lists any file with a reparse point as a link,
 * such as a placeholder of a cloud service or a deduplicated file, so the target of a link is checked.
 */
export function kindOf(entry: Dirent): EntryKind | undefined {
  if (!entry.isSymbolicLink()) return entry;
  return unlessRefused<EntryKind | undefined>(
    () => lstatSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false }),
    () => entry,
  );
}

type EntryKind = Pick<Dirent, "isDirectory" | "isFile" | "isSymbolicLink">;

/** The names in a folder; empty if it cannot be read. */
export function listNames(folder: string): string[] {
  return unlessRefused(
    () => readdirSync(folder),
    () => [],
  );
}

/** The text of a file; null if it cannot be read. */
export function readTextFile(file: string): string | null {
  return unlessRefused<string | null>(
    () => readFileSync(file, "utf8"),
    () => null,
  );
}
