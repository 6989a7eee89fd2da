import fs from "node:fs";
import path from "node:path";

/*
 * The file system is asked synchronously here: a dozen looks at folder entries take less time than the
 * first trip through the thread pool, and every command begins with them.
 */

export interface NearestWorkspaceRequest {
  /** Absolute. */
  readonly from: string;
  /** State folders: their `memory/` holds indexes, not notes, so they are never a workspace. */
  readonly stateDirs: readonly string[];
  /** Folders that the configuration names as workspaces, whatever is in them. */
  readonly named?: readonly string[];
}

/**
 * The nearest folder at or above `from` that has MEMORY.md, memory.md or memory/, or is named as a workspace; null
 * when there is none.
 */
export function findNearestWorkspace({
  from,
  stateDirs,
  named = [],
}: NearestWorkspaceRequest): string | null {
  const known = named.map(realFolder);
  const states = stateDirs.map(realFolder);
  const indexFolders = stateDirs.map((folder) => realFolder(path.join(folder, "memory")));
  for (let folder = path.resolve(from); ; folder = path.dirname(folder)) {
    const isWorkspace =
      hasNotes(folder, indexFolders) || (known.length > 0 && known.includes(realFolder(folder)));
    if (isWorkspace && !states.includes(realFolder(folder))) return folder;
    if (folder === path.dirname(folder)) return null;
  }
}

/** The path with all symbolic links resolved; of a folder that is not there yet, as far as it is there. */
export function realFolder(folder: string): string {
  const absolute = path.resolve(folder);
  const parent = path.dirname(absolute);
  try {
    if (parent === absolute || fs.lstatSync(absolute, { throwIfNoEntry: false }) !== undefined) {
      return fs.realpathSync.native(absolute);
    }
  } catch {
    // A part of the path that may not be entered, or a link that leads nowhere, is taken as it is written.
  }
  return parent === absolute ? absolute : path.join(realFolder(parent), path.basename(absolute));
}

/**
 * Links count: discovery does not follow them, but `status` then says so, which a silent other folder
 * would not.
 */
function hasNotes(folder: string, indexFolders: readonly string[]): boolean {
  if (look(path.join(folder, "MEMORY.md"))?.isFile() || look(path.join(folder, "memory.md"))?.isFile())
    return true;
  const memory = path.join(folder, "memory");
  return look(memory)?.isDirectory() === true && !indexFolders.includes(realFolder(memory));
}

/** Whatever cannot be looked at cannot be used as a workspace either. */
function look(file: string): fs.Stats | undefined {
  try {
    return fs.statSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
