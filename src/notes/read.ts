import { closeSync, fstatSync, readSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { LonghandError } from "../errors.ts";
import type { Location } from "./locate.ts";
import { versionOf, versionWhenRead } from "./note-version.ts";
import { openNote, refuseReading } from "./open-note.ts";

/** The bytes of a note as they stood at one moment. */
export interface NoteBytes {
  readonly bytes: Buffer;
  /** See `note-version.ts`. */
  readonly version: string;
  readonly modifiedAt: Date;
  readonly dev: bigint;
  readonly ino: bigint;
}

/** Larger notes are left out everywhere, and the limit is what lets the others be held in memory. */
export const maxNoteBytes = 16 * 1024 * 1024;

/** Reads a whole note; null when nothing is there. A note that changes meanwhile is read again. */
export async function readNote(location: Location, { now }: { now: () => Date }): Promise<NoteBytes | null> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const readAt = now();
    const note = openNote(location);
    if (note === null) return null;
    try {
      if (note.stats.size > maxNoteBytes) throw refuseSize(location.path, note.stats.size);
      const bytes = readBytes(note.fd, maxNoteBytes + 1, Number(note.stats.size));
      const after = fstatSync(note.fd, { bigint: true });
      if (BigInt(bytes.length) === after.size && versionOf(note.stats) === versionOf(after)) {
        const { dev, ino, mtime: modifiedAt } = after;
        return { bytes, version: versionWhenRead(after, readAt), modifiedAt, dev, ino };
      }
    } catch (error) {
      throw refuseReading(location.path, error);
    } finally {
      closeSync(note.fd);
    }
    await sleep(attempt * 2);
  }
  throw new LonghandError("note-unreadable", `${location.path} cannot be read: it kept changing meanwhile.`, {
    hint: "Try again when the program that writes it is done.",
    retryable: true,
  });
}

/** Reads from the beginning to the end, but no further than `limitBytes`. */
export function readBytes(fd: number, limitBytes: number, sizeBytes = fstatSync(fd).size): Buffer {
  let bytes = Buffer.allocUnsafe(Math.min(sizeBytes + 1, limitBytes));
  let length = 0;
  while (length < limitBytes) {
    if (length === bytes.length) {
      bytes = Buffer.concat([bytes], Math.min(bytes.length * 2, limitBytes));
    }
    const room = bytes.length - length;
    const count = readSync(fd, bytes, length, room, length);
    length += count;
    // A regular file gives less than was asked for only at its end.
    if (count < room) break;
  }
  return bytes.subarray(0, length);
}

export function refuseSize(path: string, sizeBytes: bigint | number): LonghandError {
  const message = `${path} is ${sizeBytes} bytes long; a note may have ${maxNoteBytes}.`;
  return new LonghandError("note-too-large", message, {
    hint: "Split it into several notes, or leave it out with an exclude pattern.",
  });
}

const maxAttempts = 8;
