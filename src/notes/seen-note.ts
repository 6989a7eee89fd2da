import { type BigIntStats, closeSync, fstatSync, readFileSync } from "node:fs";
import { LonghandError } from "../errors.ts";
import { retryWhileHeld } from "../files.ts";
import type { Location } from "./locate.ts";
import { openNote } from "./open-note.ts";
import { maxNoteBytes, readBytes, refuseSize, versionOf } from "./read.ts";

/** A note as it was read, kept open so that later writes to it are noticed. */
export interface SeenNote extends Disposable {
  readonly bytes: Buffer;
  readonly stats: BigIntStats;
  /**
   * Its current bytes. Where it cannot be kept open it is read through another name of the same file; without one, it is
   * assumed unchanged.
   */
  read(otherName: string | null): Buffer;
  /** False when no name leads to it any more; always true where it cannot be kept open. */
  isNamed(): boolean;
  /** Closes the file; false if it was not open. */
  close(): boolean;
}

/** Refuses a note that cannot be replaced safely: a missing, large or hard-linked one, or one that is being written. */
export function openSeenNote(location: Location): SeenNote {
  const { path } = location;
  const note = openNote(location);
  if (note === null) throw refuseChanged(path, "there is no such note");
  const { fd } = note;
  let isOpen = true;
  const close = (): boolean => {
    if (!isOpen) return false;
    closeSync(fd);
    isOpen = false;
    return true;
  };
  try {
    if (note.stats.size > maxNoteBytes) throw refuseSize(path, note.stats.size);
    if (note.stats.nlink > 1n) {
      throw new LonghandError("note-unwritable", `${path} cannot be edited: the file has a second name.`, {
        hint: "A hard link would keep the old text. Remove the other name, or edit the file by hand.",
      });
    }
    const bytes = readBytes(fd, maxNoteBytes + 1);
    const stats = fstatSync(fd, { bigint: true });
    if (BigInt(bytes.length) !== stats.size || versionOf(stats) !== versionOf(note.stats)) {
      throw refuseChanged(path, "another program is writing it");
    }
    // Windows does not let an open file be replaced.
    if (process.platform === "win32") close();
    return {
      bytes,
      stats,
      isNamed: () => !isOpen || fstatSync(fd).nlink > 0,
      read(otherName) {
        if (isOpen) return readBytes(fd, maxNoteBytes * 2);
        return otherName === null ? bytes : retryWhileHeld(() => readFileSync(otherName));
      },
      close,
      [Symbol.dispose]: () => void close(),
    };
  } catch (error) {
    close();
    throw error;
  }
}

export function refuseChanged(path: string, why: string): LonghandError {
  return new LonghandError("note-changed", `${path} was left as it is: ${why}.`, {
    hint: "Read it again, and repeat with its current text.",
  });
}
