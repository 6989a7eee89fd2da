import fs from "node:fs";
import path from "node:path";
import { realPath } from "../paths.ts";

/*
 * Synchronous on purpose: a dozen stats take less time than the first trip through the thread pool, and every command
 * begins with them.
 */

interface NearestWorkspaceRequest {
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

/** The path with all symbolic links resolved, as far as it exists. */
export function realFolder(folder: string): string {
  const absolute = path.resolve(folder);
  const parent = path.dirname(absolute);
  try {
    if (parent === absolute || fs.lstatSync(absolute, { throwIfNoEntry: false }) !== undefined) {
      return realPath(absolute);
    }
  } catch {
    // An inaccessible part, or a dangling link, is taken as it is written.
  }
  return parent === absolute ? absolute : path.join(realFolder(parent), path.basename(absolute));
}

/**
 * Links count: discovery does not follow them, but `status` reports that, which is clearer than silently choosing
 * another folder.
 */
function hasNotes(folder: string, indexFolders: readonly string[]): boolean {
  if (look(path.join(folder, "MEMORY.md"))?.isFile() || look(path.join(folder, "memory.md"))?.isFile())
    return true;
  const memory = path.join(folder, "memory");
  return look(memory)?.isDirectory() === true && !indexFolders.includes(realFolder(memory));
}

/** A folder that cannot be inspected cannot be a workspace either. */
function look(file: string): fs.Stats | undefined {
  try {
    return fs.statSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
