import { accessSync, constants, type Dirent, lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import path, { join, type PlatformPath } from "node:path";
import { systemErrorCode, unlessRefused } from "./errors.ts";

/**
 * True for a folder itself and for everything below it. Both are absolute, and without links if links count. Between
 * two drives or shares of Windows the way is an absolute path.
 */
export function isWithin(place: string, folder: string, system: PlatformPath = path): boolean {
  const way = system.relative(folder, place);
  return way !== ".." && !way.startsWith(`..${system.sep}`) && !system.isAbsolute(way);
}

/**
 * The path without links, in the spelling that the system lists. Some drives of Windows, such as those that a program
 * keeps in memory, do not say it; there the links are followed one by one, and the letter case stays as it is written.
 */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (process.platform !== "win32") throw error;
    return realpathSync(path);
  }
}

/** Whether this user may run the file. On Windows every file counts as executable, so callers name the ending. */
export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/**
 * What an entry of a folder is; undefined if it is gone. Windows lists as a link whatever a driver has attached data to,
 * such as a placeholder of a cloud service or a deduplicated file, so a link is asked what it is.
 */
export function kindOf(entry: Dirent): EntryKind | undefined {
  if (!entry.isSymbolicLink()) return entry;
  return unlessRefused<EntryKind | undefined>(
    () => lstatSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false }),
    () => entry,
  );
}

type EntryKind = Pick<Dirent, "isDirectory" | "isFile" | "isSymbolicLink">;

/** The names in a folder; none if it cannot be read. */
export function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return [];
  }
}
