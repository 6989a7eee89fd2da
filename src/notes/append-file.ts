import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
} from "node:fs";
import { join } from "node:path";
import { LonghandError, systemErrorCode, unlessRefused } from "../errors.ts";
import { openHeldSync, removeFileSync } from "../files.ts";
import { isSameFile } from "../paths.ts";
import { monotonicMs } from "../timing.ts";
import type { Location } from "./locate.ts";
import { type Folder, openFolderOf } from "./note-folder.ts";
import { lookAt, noFollow, type OpenNote, refuseKind, verifyByWalk, verifyOpened } from "./open-note.ts";
import { readBytes } from "./read.ts";

/**
 * Opens a note for appending and creates it, with its folders, when it is missing; all of it is durable when this
 * returns. Null when the note was replaced while it was being opened. The caller closes the descriptor.
 *
 * Each folder is opened from the one above and never through a symlink, so that nothing can be created outside the
 * root, not even an empty file, even if a folder is swapped meanwhile.
 */
export function openForAppend(location: Location): NoteToAppend | null {
  try {
    lookAt(location);
    using folder = openFolderOf(location, { make: true })!;
    return openIn(folder, folder.noteName, location);
  } catch (error) {
    throw refuseWriting(location.path, error);
  }
}

/** True when the path still leads to the note that was opened. Bypasses the kernel's dentry cache. */
export function isCurrent({ fd, stats }: OpenNote, location: Location): boolean {
  return verifyOpened(fd, stats, location) && verifyByWalk(fd, stats, location);
}

/**
 * Removes a note that was created for an entry which could not be written, so that a full disk leaves no empty notes.
 * Only a file that is still empty and still at its path is removed.
 */
export function removeIfEmpty(location: Location, { fd }: Pick<OpenNote, "fd">): void {
  using folder = openFolderOf(location, { make: false });
  if (folder === null) return;
  const file = join(folder.path, folder.noteName);
  const [ours, there] = [fstatSync(fd), lstatSync(file, { throwIfNoEntry: false })];
  if (ours.size === 0 && isSameFile(ours, there)) removeFileSync(file);
}

export interface NoteToAppend extends OpenNote {
  /** This call created the note. */
  readonly isNew: boolean;
}

/**
 * Truncates the note that was opened; false where the system does not allow it. Windows cannot truncate through a
 * descriptor that was opened for appending, so there the file is opened again.
 */
export function cutOff({ fd }: Pick<OpenNote, "fd">, location: Location, length: number): boolean {
  const cut = (open: number): boolean => {
    ftruncateSync(open, length);
    return true;
  };
  return unlessRefused(
    () => cut(fd),
    () =>
      unlessRefused(
        () => withOtherDescriptor(fd, location, cut),
        () => false,
      ),
  );
}

/** Opens the note once more for writing; false where its path leads to another file by now. */
function withOtherDescriptor(fd: number, location: Location, use: (other: number) => boolean): boolean {
  const flags = constants.O_RDWR | noFollow;
  const other = openSync(join(location.root, location.relative), flags);
  try {
    const [ours, there] = [fstatSync(fd, { bigint: true }), fstatSync(other, { bigint: true })];
    return isSameFile(ours, there) && use(other);
  } finally {
    closeSync(other);
  }
}

/**
 * The bytes of a note on a network share. Linux answers from its cache for what it wrote itself, even if another
 * machine wrote to the same place meanwhile, so the read bypasses the cache.
 */
export function readFromServer({ fd }: Pick<OpenNote, "fd">, limitBytes: number): Buffer {
  if (process.platform !== "linux") return readBytes(fd, limitBytes);
  let direct: number | undefined;
  try {
    direct = openSync(`/proc/self/fd/${fd}`, constants.O_RDONLY | constants.O_DIRECT);
    return readBytes(direct, limitBytes);
  } catch (error) {
    // Not every file system can.
    if (systemErrorCode(error) === undefined) throw error;
    return readBytes(fd, limitBytes);
  } finally {
    if (direct !== undefined) closeSync(direct);
  }
}

export function refuseWriting(path: string, error: unknown): unknown {
  const code = systemErrorCode(error);
  if (code === undefined) return error;
  return new LonghandError("note-unwritable", `${path} cannot be written: the system says ${code}.`, {
    hint: hintFor(error),
    retryable: ["ENOSPC", "EDQUOT", "EBUSY"].includes(code),
    cause: error,
  });
}

export function hintFor(error: unknown): string {
  return (
    hints[systemErrorCode(error) ?? ""] ?? "Check the disk and the permissions of the folder, then try again."
  );
}

const hints: Readonly<Record<string, string>> = {
  ENOSPC: "The disk is full, or has no room for more files. Free some space and try again.",
  EDQUOT: "Your share of the disk is used up. Free some space and try again.",
  EROFS: "The disk is read-only. Choose a workspace that can be written to.",
  EACCES: "Give yourself the right to write to the note and its folder.",
  EPERM: "Give yourself the right to write to the note and its folder.",
  EBUSY: "Another program has the note open. Close it there, and try again.",
  EIO: "The disk reports an error. Check it before you rely on what is written now.",
  ENAMETOOLONG: "Choose a shorter name for the note.",
};

function openIn(folder: Folder, name: string, location: Location): NoteToAppend | null {
  const { O_RDWR, O_APPEND, O_CREAT, O_NONBLOCK = 0, O_NOCTTY = 0 } = constants;
  const seen = lookAt(location);
  if (seen !== null && !seen.isFile()) throw refuseKind(location);
  const fd = openHeldSync(
    join(folder.path, name),
    O_RDWR | O_APPEND | O_CREAT | noFollow | O_NONBLOCK | O_NOCTTY,
  );
  try {
    const stats = fstatSync(fd, { bigint: true });
    if (!stats.isFile()) throw refuseKind(location);
    if (!verifyOpened(fd, stats, location)) {
      closeSync(fd);
      return null;
    }
    // An existing note may have been created by a process that died before it synced the folder.
    if (stats.size === 0n || seen === null) folder.sync();
    return { fd, stats, isNew: seen === null };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/**
 * True when a note was created or replaced a moment ago: a program may be saving it repeatedly, and may have read it
 * before our text was in it. A save by rename creates a new file, so a young file is the sign of it.
 */
export function isRecent({ birthtimeMs }: BigIntStats): boolean {
  return Math.abs(Date.now() - Number(birthtimeMs)) < youngMs;
}

/** Checks every millisecond that a condition keeps holding, for as long as such a program takes to save. */
export function keepsHolding(holds: () => boolean): boolean {
  for (const endsAt = monotonicMs() + watchMs; holds(); ) {
    if (monotonicMs() >= endsAt) return true;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
  }
  return false;
}

const youngMs = 1000;
const watchMs = 50;
