import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import { LonghandError, systemErrorCode } from "../../errors.ts";
import type { TranscriptStats } from "./open-transcript.ts";

/** A transcript, open for reading. */
export interface OpenFile extends Disposable {
  /** Looks again at the file that is open, wherever its name leads by now. */
  stats(): TranscriptStats;
  /** The bytes from `position` on, as many as there are up to `length`. */
  read(position: number, length: number): Buffer;
}

/**
 * Opens a regular file, or gives null when nothing is there. A link is not followed, and a pipe or device that stands
 * in its place neither blocks nor is read.
 */
export function openFile(
  file: string,
  { shown, onBytes = () => {} }: { shown: string; onBytes?: ((count: number) => void) | undefined },
): OpenFile | null {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_NOCTTY = 0 } = constants;
  let fd: number;
  try {
    // Looked at first, because opening a pipe would wake whoever waits to write to it.
    if (lstatSync(file, { throwIfNoEntry: false })?.isFile() === false) throw refuseKind(shown);
    fd = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    if (code === "ELOOP") throw refuseKind(shown);
    throw refuseReading(shown, error);
  }
  if (!fstatSync(fd).isFile()) {
    closeSync(fd);
    throw refuseKind(shown);
  }
  return {
    stats: () => fstatSync(fd, { bigint: true }),
    read(position, length) {
      const bytes = Buffer.allocUnsafe(length);
      let filled = 0;
      try {
        while (filled < length) {
          const count = readSync(fd, bytes, filled, length - filled, position + filled);
          if (count === 0) break;
          filled += count;
        }
      } catch (error) {
        throw refuseReading(shown, error);
      }
      onBytes(filled);
      return bytes.subarray(0, filled);
    },
    [Symbol.dispose]: () => closeSync(fd),
  };
}

function refuseKind(shown: string): LonghandError {
  return new LonghandError("note-unreadable", `${shown} cannot be read: it is not a regular file.`, {
    hint: "Move what stands there; only regular files are transcripts.",
  });
}

function refuseReading(shown: string, error: unknown): unknown {
  const code = systemErrorCode(error);
  if (code === undefined) return error;
  return new LonghandError("note-unreadable", `${shown} cannot be read: the system says ${code}.`, {
    hint: "Give yourself the right to read it, or try again.",
    retryable: true,
    cause: error,
  });
}
