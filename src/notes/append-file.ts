import { closeSync, constants, fstatSync, lstatSync, openSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { LonghandError, systemErrorCode } from "../errors.ts";
import { type Location, refusePath } from "./locate.ts";
import { type Folder, openFolderOf } from "./open-folder.ts";
import { lookAt, type OpenNote, refuseKind, verifyOpened } from "./open-note.ts";

/**
 * Opens a note for appending, made when it is missing together with its folders; all of it is durable when this
 * returns. Who calls closes the descriptor.
 *
 * Each folder is opened from the one above and never through a symlink, so that nothing can be created outside the
 * root, not even an empty file and not even when a folder is swapped meanwhile.
 */
export function openForAppend(location: Location): NoteToAppend {
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

export function refuseWriting(path: string, error: unknown): unknown {
  const code = systemErrorCode(error);
  if (code === undefined) return error;
  const hint = hints[code] ?? "Check the disk and the rights on the folder, then try again.";
  return new LonghandError("note-unwritable", `${path} cannot be written: the system says ${code}.`, {
    hint,
    retryable: code === "ENOSPC" || code === "EDQUOT",
    cause: error,
  });
}

const hints: Readonly<Record<string, string>> = {
  ENOSPC: "The disk is full. Free some space and try again.",
  EDQUOT: "Your share of the disk is used up. Free some space and try again.",
  EROFS: "The disk is read-only. Choose a workspace that can be written to.",
  EACCES: "Give yourself the right to write to the note and its folder.",
  EPERM: "Give yourself the right to write to the note and its folder.",
  ENAMETOOLONG: "Choose a shorter name for the note.",
};

function openIn(folder: Folder, name: string, location: Location): NoteToAppend {
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
    return { fd, stats, isNew: seen === null };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}
