import {
  type BigIntStats,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { LonghandError } from "../errors.ts";
import { sha256 } from "../text/hash.ts";
import { refuseWriting } from "./append-file.ts";
import { leftoverName, removeLeftovers } from "./leftovers.ts";
import type { Location } from "./locate.ts";
import { versionOf } from "./note-version.ts";
import { type Folder, openFolderOf } from "./open-folder.ts";
import { openNote } from "./open-note.ts";
import { maxNoteBytes, readBytes, refuseSize } from "./read.ts";

/** SHA-256 of a note's bytes around an edit. */
export interface EditResult {
  readonly path: string;
  readonly before: string;
  /** Null when the note is gone. */
  readonly after: string | null;
}

/** Gives the new bytes, or null to delete the note; throws to leave it alone. */
export type Edit = (bytes: Buffer) => Buffer | null;

/**
 * Exchanges a note for its edited self; when this returns that is on the disk. The caller holds the lock of the notes.
 *
 * The new text is written to a file beside the note, made durable and renamed over it, so that a crash leaves the old
 * note or the new one, whole. Programs that do not know the lock may write meanwhile: the note must still be the very
 * file that was read in the moment before the renaming, or nothing is changed.
 */
export function editNote(location: Location, edit: Edit, { now }: { now: () => Date }): EditResult {
  const { path } = location;
  try {
    const { bytes, stats } = readForEdit(location);
    const next = edit(bytes);
    const before = sha256(bytes);
    if (next?.equals(bytes)) return { path, before, after: before };
    if (next !== null && next.length > maxNoteBytes) throw refuseSize(path, next.length);
    const folder = openFolderOf(location, { make: false });
    if (folder === null) throw refuseChanged(path, "it is gone");
    try {
      removeLeftovers(folder, now());
      const name = join(folder.path, folder.noteName);
      if (next === null) {
        refuseOther(name, stats, path);
        unlinkSync(name);
      } else {
        exchange(folder, name, { next, stats, path });
      }
      folder.sync();
    } finally {
      folder.close();
    }
    return { path, before, after: next === null ? null : sha256(next) };
  } catch (error) {
    throw refuseWriting(path, error);
  }
}

export function refuseChanged(path: string, why: string): LonghandError {
  return new LonghandError("note-changed", `${path} was left as it is: ${why}.`, {
    hint: "Read it again, and repeat with the text as it stands now.",
  });
}

function readForEdit(location: Location): { bytes: Buffer; stats: BigIntStats } {
  const { path } = location;
  const note = openNote(location);
  if (note === null) throw refuseChanged(path, "there is no such note");
  try {
    if (note.stats.size > maxNoteBytes) throw refuseSize(path, note.stats.size);
    if (note.stats.nlink > 1n) {
      throw new LonghandError("note-unwritable", `${path} cannot be edited: the file has a second name.`, {
        hint: "A hard link would keep the old text. Remove the other name, or edit the file by hand.",
      });
    }
    const bytes = readBytes(note.fd, maxNoteBytes + 1);
    const stats = fstatSync(note.fd, { bigint: true });
    if (BigInt(bytes.length) !== stats.size || versionOf(stats) !== versionOf(note.stats)) {
      throw refuseChanged(path, "another program is writing it");
    }
    return { bytes, stats };
  } finally {
    closeSync(note.fd);
  }
}

/** The name must still lead to the file that was read, and that must be as it was then. */
function refuseOther(name: string, stats: BigIntStats, path: string): void {
  const seen = lstatSync(name, { bigint: true, throwIfNoEntry: false });
  if (seen === undefined || versionOf(seen) !== versionOf(stats)) {
    throw refuseChanged(path, "another program changed it meanwhile");
  }
}

function exchange(
  folder: Folder,
  name: string,
  { next, stats, path }: { next: Buffer; stats: BigIntStats; path: string },
): void {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW = 0 } = constants;
  const temporary = join(folder.path, leftoverName(crypto.randomUUID().replaceAll("-", "").slice(0, 16)));
  const fd = openSync(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    try {
      keepOwner(fd, stats, path);
      for (let at = 0; at < next.length; ) at += writeSync(fd, next, at);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    refuseOther(name, stats, path);
    renameSync(temporary, name);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Owner first: giving a file away takes special rights from it. */
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
