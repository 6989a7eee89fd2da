import { closeSync, constants, fstatSync, fsyncSync, mkdirSync, openSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { LonghandError, systemErrorCode } from "../errors.ts";
import { lookAt, type OpenNote, refuseKind, verifyOpened } from "./guard.ts";
import { type Location, refusePath } from "./locate.ts";

/**
 * Opens a note for appending, made when it is missing together with its folders; all of it is durable when this
 * returns. Who calls closes the descriptor.
 *
 * Each folder is opened from the one above and never through a symlink, so that nothing can be created outside the
 * root, not even an empty file and not even when a folder is swapped meanwhile.
 */
export function openForAppend(location: Location): OpenNote {
  try {
    lookAt(location);
    const parts = location.relative.split("/");
    const name = parts.pop()!;
    const folder = openFolders(location, parts);
    try {
      return openIn(folder, name, location);
    } finally {
      folder.close();
    }
  } catch (error) {
    throw refuseWriting(location.path, error);
  }
}

export function refuseWriting(path: string, error: unknown): unknown {
  const code = systemErrorCode(error);
  if (code === undefined) return error;
  const hint = hints[code] ?? "Check the disk and the rights on the folder, then add it again.";
  return new LonghandError("note-unwritable", `${path} cannot be written: the system says ${code}.`, {
    hint,
    retryable: code === "ENOSPC" || code === "EDQUOT",
    cause: error,
  });
}

const hints: Readonly<Record<string, string>> = {
  ENOSPC: "The disk is full. Free some space and add it again.",
  EDQUOT: "Your share of the disk is used up. Free some space and add it again.",
  EROFS: "The disk is read-only. Choose a workspace that can be written to.",
  EACCES: "Give yourself the right to write to the note and its folder.",
  EPERM: "Give yourself the right to write to the note and its folder.",
  ENAMETOOLONG: "Choose a shorter name for the note.",
};

interface Folder {
  /** A path that leads to this very folder, whatever happens to its name. */
  readonly path: string;
  /** Makes new names in it durable. */
  sync(): void;
  close(): void;
}

function openFolders(location: Location, parts: readonly string[]): Folder {
  let folder = openFolder(location.root);
  for (const part of parts) {
    const parent = folder;
    try {
      const inner = join(parent.path, part);
      if (makeFolder(inner)) parent.sync();
      folder = openFolder(inner);
    } catch (error) {
      const code = systemErrorCode(error);
      if (code === "ELOOP" || code === "ENOTDIR") throw refusePath(location.path, `${part} is not a folder`);
      throw error;
    } finally {
      parent.close();
    }
  }
  return folder;
}

function openFolder(path: string): Folder {
  if (process.platform === "win32") return { path, sync: () => {}, close: () => {} };
  const fd = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  return {
    path: hasDescriptorPaths(fd) ? `/proc/self/fd/${fd}` : path,
    sync: () => syncFolder(fd),
    close: () => closeSync(fd),
  };
}

function syncFolder(fd: number): void {
  try {
    fsyncSync(fd);
  } catch (error) {
    // Some network file systems have no such call for folders, because they keep no names back.
    if (!["EINVAL", "ENOTSUP", "ENOSYS"].includes(systemErrorCode(error) ?? "")) throw error;
  }
}

/** On Linux a descriptor can stand in a path like a folder. Elsewhere the check after opening has to do. */
function hasDescriptorPaths(fd: number): boolean {
  try {
    return process.platform === "linux" && readlinkSync(`/proc/self/fd/${fd}`) !== "";
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return false;
    throw error;
  }
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

function openIn(folder: Folder, name: string, location: Location): OpenNote {
  const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_NOCTTY = 0 } = constants;
  const seen = lookAt(location);
  if (seen !== null && !seen.isFile()) throw refuseKind(location);
  const fd = openSync(
    join(folder.path, name),
    O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY,
  );
  try {
    const stats = fstatSync(fd, { bigint: true });
    if (!stats.isFile()) throw refuseKind(location);
    if (!verifyOpened(fd, stats, location)) throw refusePath(location.path, "it leads to another file");
    // A note that looks old may have been made by a process that died before it could say so.
    if (stats.size === 0n || seen === null) folder.sync();
    return { fd, stats };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}
