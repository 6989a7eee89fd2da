import { closeSync, constants, mkdirSync, openSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { systemErrorCode, unlessRefused } from "../errors.ts";
import { syncOpenFolder } from "../rename-file.ts";
import { type Location, refusePath } from "./locate.ts";
import { noFollow } from "./open-note.ts";

export interface Folder {
  /** A path that leads to this folder even when it is renamed. */
  readonly path: string;
  /** Makes new names in it durable. */
  sync(): void;
  close(): void;
}

/**
 * Opens the folder of a note; null when it does not exist. Each folder is opened from the one above and never through
 * a symlink, so that nothing outside the root is touched even if a folder is swapped meanwhile. The caller closes it.
 */
export function openFolderOf(
  location: Location,
  { make }: { make: boolean },
): (Folder & { readonly noteName: string }) | null {
  const parts = location.relative.split("/");
  const noteName = parts.pop()!;
  let folder = openFolder(location.root);
  for (const part of parts) {
    const parent = folder;
    try {
      const inner = join(parent.path, part);
      if (make && makeFolder(inner)) parent.sync();
      folder = openFolder(inner);
    } catch (error) {
      const code = systemErrorCode(error);
      if (code === "ENOENT" && !make) return null;
      if (code === "ELOOP" || code === "ENOTDIR") throw refusePath(location.path, `${part} is not a folder`);
      throw error;
    } finally {
      parent.close();
    }
  }
  return { ...folder, noteName };
}

function openFolder(path: string): Folder {
  if (process.platform === "win32") return { path, sync: () => {}, close: () => {} };
  const fd = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | noFollow);
  return {
    path: hasDescriptorPaths(fd) ? `/proc/self/fd/${fd}` : path,
    sync: () => syncOpenFolder(fd),
    close: () => closeSync(fd),
  };
}

/** On Linux a path can start at a descriptor. Elsewhere the check after opening has to do. */
function hasDescriptorPaths(fd: number): boolean {
  if (process.platform !== "linux") return false;
  return unlessRefused(
    () => readlinkSync(`/proc/self/fd/${fd}`) !== "",
    () => false,
  );
}

function makeFolder(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === "EEXIST") return false;
    throw error;
  }
}
