import { type BigIntStats, fchmodSync, fchownSync, fstatSync, linkSync, lstatSync } from "node:fs";
import { basename, join } from "node:path";
import { LonghandError, unlessRefused } from "../errors.ts";
import { isHeld, randomId, removeFileSync, renameFileSync, retryWhileHeld, temporaryPath } from "../files.ts";
import { type FileId, isSameFile } from "../paths.ts";
import { sha256 } from "../text/hash.ts";
import { isRecent, keepsHolding, refuseWriting } from "./append-file.ts";
import type { Location } from "./locate.ts";
import { type Folder, openFolderOf, removeLeftovers, removeLinksTo, writeTemporary } from "./note-folder.ts";
import { maxNoteBytes, refuseSize, versionOf } from "./read.ts";
import { openSeenNote, refuseChanged, type SeenNote } from "./seen-note.ts";

/** SHA-256 of a note's bytes around an edit. */
export interface EditResult {
  readonly path: string;
  readonly before: string;
  /** Null when the note was deleted. */
  readonly after: string | null;
}

/** Returns the new bytes, or null to delete the note; throws to leave it unchanged. */
export type Edit = (bytes: Buffer, stats: BigIntStats) => Buffer | null;

/** Points between two file system calls at which another program may intervene. */
export type EditStep = "checked" | "exchanged";

interface EditOptions {
  readonly now: () => Date;
  /** For tests, which let another program intervene there. */
  readonly at?: (step: EditStep) => void;
}

/**
 * Replaces a note with its edited text; when this returns, the new text is on disk and the path leads to it. The caller
 * holds the lock of the notes.
 *
 * The new text is written to a temporary file, made durable and renamed over the note, so that a crash leaves the old
 * note or the new one, whole. Programs that do not know the lock may write meanwhile. Right before the rename the note
 * must still be the file that was read, or nothing is changed; text that reaches the old file after that check is put
 * back; and if the new file is itself replaced, the edit fails.
 */
export function editNote(location: Location, edit: Edit, { now, at = () => {} }: EditOptions): EditResult {
  const { path } = location;
  try {
    removeKeptLinks(location);
    using seen = openSeenNote(location);
    const { bytes } = seen;
    const next = edit(bytes, seen.stats);
    const before = sha256(bytes);
    if (next?.equals(bytes)) return { path, before, after: before };
    if (next !== null && next.length > maxNoteBytes) throw refuseSize(path, next.length, "would have");
    using folder = openFolderOf(location, { make: false });
    if (folder === null) throw refuseChanged(path, "it is gone");
    removeLeftovers(folder, now());
    const target: EditTarget = { folder, name: join(folder.path, folder.noteName), path };
    if (next === null) remove(target, seen, at);
    else exchange(target, seen, next, at);
    return { path, before, after: next === null ? null : sha256(next) };
  } catch (error) {
    throw refuseWriting(path, error);
  }
}

interface EditTarget {
  readonly folder: Folder;
  /** The note, by a path through the open folder. */
  readonly name: string;
  /** For messages. */
  readonly path: string;
}

/** The name must still lead to the file that was read, unchanged. */
function refuseOther({ name, path }: EditTarget, { stats }: SeenNote): void {
  const now = lstatSync(name, { bigint: true, throwIfNoEntry: false });
  if (now === undefined || versionOf(now) !== versionOf(stats)) {
    throw refuseChanged(path, "another program changed it meanwhile");
  }
}

function exchange(target: EditTarget, seen: SeenNote, next: Buffer, at: (step: EditStep) => void): void {
  const { folder, name, path } = target;
  const made = writeBeside(target, next, seen.stats);
  let kept: string | null = null;
  try {
    // A program that saves every few milliseconds would save between the last check and the rename.
    if (isRecent(seen.stats) && !keepsHolding(seen.isNamed)) {
      throw refuseChanged(path, "another program is saving it at the moment");
    }
    refuseOther(target, seen);
    kept = keepByLink(target);
    at("checked");
    // Checked by descriptor, which is quicker than by path: the shorter the gap before the rename the better.
    if (!seen.isNamed()) throw refuseChanged(path, "another program replaced it meanwhile");
    renameSeen(seen, made.file, name);
  } catch (error) {
    discard(made.file);
    if (kept !== null) discard(kept);
    throw error;
  }
  at("exchanged");
  const left = readKept(seen, kept);
  if (!left.equals(seen.bytes)) {
    // Written between the check and the rename. No one has read our text yet, so theirs is restored.
    const restored = writeBeside(target, left, seen.stats);
    if (leadsTo(name, made)) renameFileSync(restored.file, name);
    else discard(restored.file);
    folder.sync();
    throw refuseChanged(path, "another program wrote to it meanwhile");
  }
  folder.sync();
  if (!leadsTo(name, made)) {
    throw refuseChanged(
      path,
      "another program replaced it right after the edit, which is not in it any more",
    );
  }
}

/** On an SMB share, too, an open file cannot be renamed or replaced; Linux learns that only by trying. */
function renameSeen(seen: SeenNote, from: string, to: string): void {
  try {
    renameFileSync(from, to);
  } catch (error) {
    if (!isHeld(error, "win32") || !seen.close()) throw error;
    retryWhileHeld(() => renameFileSync(from, to), { isHeldBy: (again) => isHeld(again, "win32") });
  }
}

/**
 * Where the old note cannot be kept open, a second name preserves it through the exchange, so that it can be compared
 * afterwards. Null where it stays open, and on file systems without hard links.
 */
function keepByLink({ folder, name }: EditTarget): string | null {
  if (process.platform !== "win32") return null;
  const kept = temporaryPath(folder.path);
  return unlessRefused(
    () => {
      linkSync(name, kept);
      return kept;
    },
    () => null,
  );
}

/** Removes the second name of a note that a process leaves when it is killed while it makes or replaces the note. */
function removeKeptLinks(location: Location): void {
  const stats = lstatSync(join(location.root, location.relative), { bigint: true, throwIfNoEntry: false });
  if (stats === undefined || stats.nlink < 2n) return;
  using folder = openFolderOf(location, { make: false });
  if (folder !== null) removeLinksTo(folder, stats);
}

function readKept(seen: SeenNote, kept: string | null): Buffer {
  try {
    return seen.read(kept);
  } finally {
    if (kept !== null) discard(kept);
  }
}

/** A file that another program still has open is removed by a later edit in the folder. */
function discard(file: string): void {
  unlessRefused(
    () => removeFileSync(file),
    () => {},
  );
}

/** Renames the note before it checks and deletes it, so that no other file can be deleted in its place. */
function remove(target: EditTarget, seen: SeenNote, at: (step: EditStep) => void): void {
  const { folder, name, path } = target;
  refuseOther(target, seen);
  at("checked");
  const taken = temporaryPath(folder.path);
  renameSeen(seen, name, taken);
  if (leadsTo(taken, seen.stats) && seen.read(taken).equals(seen.bytes)) {
    try {
      removeFileSync(taken);
    } catch (error) {
      putBack(taken, name);
      throw error;
    }
    folder.sync();
    return;
  }
  const kept = putBack(taken, name);
  folder.sync();
  const where = kept === null ? "" : `; its text is in ${basename(kept)} beside it`;
  throw refuseChanged(path, `another program changed it meanwhile${where}`);
}

/** Gives a file its old name again; if that name is taken by now, returns the name it was kept under. */
function putBack(taken: string, name: string): string | null {
  return unlessRefused(
    () => {
      linkSync(taken, name);
      discard(taken);
      return null;
    },
    () => {
      // Not every file system has hard links.
      const isFree = lstatSync(name, { throwIfNoEntry: false }) === undefined;
      const kept = isFree ? name : `${name}.${randomId()}.kept`;
      renameFileSync(taken, kept);
      return isFree ? null : kept;
    },
  );
}

function leadsTo(name: string, file: FileId): boolean {
  return isSameFile(lstatSync(name, { bigint: true, throwIfNoEntry: false }), file);
}

/** A durable file in the folder of the note, with the note's owner and mode. */
function writeBeside(
  { folder, path }: EditTarget,
  bytes: Buffer,
  stats: BigIntStats,
): FileId & { file: string } {
  return writeTemporary(folder, bytes, (fd) => keepOwner(fd, stats, path));
}

/** Owner first: chown clears the setuid and setgid bits. */
function keepOwner(fd: number, stats: BigIntStats, path: string): void {
  if (process.platform === "win32") return;
  const own = fstatSync(fd, { bigint: true });
  if (own.uid !== stats.uid || own.gid !== stats.gid) {
    try {
      fchownSync(fd, Number(stats.uid), Number(stats.gid));
    } catch (error) {
      const whose = own.uid === stats.uid ? "a group that you are not in" : "somebody else";
      throw new LonghandError("note-unwritable", `${path} cannot be edited: it belongs to ${whose}.`, {
        hint: "Edit it as its owner, or make it yours first with `chown` or `chgrp`.",
        cause: error,
      });
    }
  }
  fchmodSync(fd, Number(stats.mode) & 0o7777);
}
