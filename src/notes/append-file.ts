import { closeSync, constants, fstatSync, ftruncateSync, lstatSync, openSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { LonghandError, systemErrorCode } from "../errors.ts";
import type { Location } from "./locate.ts";
import { type Folder, openFolderOf } from "./open-folder.ts";
import { lookAt, type OpenNote, refuseKind, verifyByWalk, verifyOpened } from "./open-note.ts";

/**
 * Opens a note for appending, made when it is missing together with its folders; all of it is durable when this
 * returns. Null when the note was replaced in the very moment of opening it. Who calls closes the descriptor.
 *
 * Each folder is opened from the one above and never through a symlink, so that nothing can be created outside the
 * root, not even an empty file and not even when a folder is swapped meanwhile.
 */
export function openForAppend(location: Location): NoteToAppend | null {
  try {
    lookAt(location);
    const folder = openFolderOf(location, { make: true })!;
    try {
      return openIn(folder, folder.noteName, location);
    } finally {
      folder.close();
    }
  } catch (error) {
    throw refuseWriting(location.path, error);
  }
}

/** True when the path still leads to the note that was opened; asked of the file system, not of a cache of names. */
export function isCurrent({ fd, stats }: OpenNote, location: Location): boolean {
  return verifyOpened(fd, stats, location) && verifyByWalk(fd, stats, location);
}

/**
 * Takes a note back that was made for an entry which could then not be written, so that a full disk leaves no empty
 * notes. Only what is still empty and still stands at its place is removed.
 */
export function removeIfEmpty(location: Location, { fd }: Pick<OpenNote, "fd">): void {
  const folder = openFolderOf(location, { make: false });
  if (folder === null) return;
  try {
    const file = join(folder.path, folder.noteName);
    const [ours, there] = [fstatSync(fd), lstatSync(file, { throwIfNoEntry: false })];
    if (ours.size === 0 && there?.ino === ours.ino && there.dev === ours.dev) unlinkSync(file);
  } finally {
    folder.close();
  }
}

export interface NoteToAppend extends OpenNote {
  /** It was made for this. */
  readonly isNew: boolean;
}

/**
 * Shortens the note that was opened; false where the system does not allow it. Windows shortens no file by a
 * descriptor that was opened for appending, so there the same file is opened once more.
 */
export function cutOff({ fd }: Pick<OpenNote, "fd">, location: Location, length: number): boolean {
  try {
    ftruncateSync(fd, length);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
  }
  let other: number | undefined;
  try {
    other = openSync(join(location.root, location.relative), constants.O_RDWR | (constants.O_NOFOLLOW ?? 0));
    const [ours, there] = [fstatSync(fd, { bigint: true }), fstatSync(other, { bigint: true })];
    if (there.ino !== ours.ino || there.dev !== ours.dev) return false;
    ftruncateSync(other, length);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return false;
  } finally {
    if (other !== undefined) closeSync(other);
  }
}

export function refuseWriting(path: string, error: unknown): unknown {
  const code = systemErrorCode(error);
  if (code === undefined) return error;
  return new LonghandError("note-unwritable", `${path} cannot be written: the system says ${code}.`, {
    hint: hintFor(error),
    retryable: code === "ENOSPC" || code === "EDQUOT",
    cause: error,
  });
}

export function hintFor(error: unknown): string {
  return (
    hints[systemErrorCode(error) ?? ""] ?? "Check the disk and the rights on the folder, then try again."
  );
}

const hints: Readonly<Record<string, string>> = {
  ENOSPC: "The disk is full, or has no room for more files. Free some space and try again.",
  EDQUOT: "Your share of the disk is used up. Free some space and try again.",
  EROFS: "The disk is read-only. Choose a workspace that can be written to.",
  EACCES: "Give yourself the right to write to the note and its folder.",
  EPERM: "Give yourself the right to write to the note and its folder.",
  EIO: "The disk reports an error. Check it before you rely on what is written now.",
  ENAMETOOLONG: "Choose a shorter name for the note.",
};

function openIn(folder: Folder, name: string, location: Location): NoteToAppend | null {
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
    if (!verifyOpened(fd, stats, location)) {
      closeSync(fd);
      return null;
    }
    // A note that looks old may have been made by a process that died before it could say so.
    if (stats.size === 0n || seen === null) folder.sync();
    return { fd, stats, isNew: seen === null };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}
