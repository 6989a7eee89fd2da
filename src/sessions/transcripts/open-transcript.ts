import { type BigIntStats, closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import { LonghandError, systemErrorCode } from "../../errors.ts";
import { sha256 } from "../../text/hash.ts";
import { parseJson } from "../../text/parse-json.ts";

/** Distinguishes versions of a transcript without reading it. */
export type TranscriptStats = Pick<BigIntStats, "dev" | "ino" | "size" | "mtimeNs" | "ctimeNs" | "mtime">;

/** A transcript, open for reading. Positions only grow: bytes in a file, events in a database. */
export interface OpenTranscript extends Disposable {
  /** The current stats. Another `ino` means that other content has replaced it. */
  stats(): TranscriptStats;
  /** The current end position. */
  end(): number;
  /** The whole lines from `start` on, each with its end position. */
  lines(start: number, limit: number): Iterable<FileLine>;
  /** Hashes of the first and last content before a position. */
  head(position: number): string;
  tail(position: number): string;
  /** Whether the head is complete at this position, so that appending does not change it. */
  hasWholeHead(position: number): boolean;
  /** Its bytes, if it is a file: only a file can be one large JSON value. */
  readonly file: OpenFile | null;
}

const headBytes = 4096;
const tailBytes = 1024;

/** Opens a transcript file; null when it does not exist. */
export function openTranscriptFile(
  path: string,
  options: { shown: string; onBytes?: ((count: number) => void) | undefined },
): OpenTranscript | null {
  const opened = openFile(path, options);
  if (opened === null) return null;
  const file = path.endsWith(".zst") ? decompress(opened, options.shown) : opened;
  return {
    file,
    stats: () => opened.stats(),
    end: () => Number(file.stats().size),
    lines: (start, limit) => readLines(file, start, limit),
    head: (position) => sha256(file.read(0, Math.min(headBytes, position))),
    tail(position) {
      const length = Math.min(tailBytes, position);
      return sha256(file.read(position - length, length));
    },
    hasWholeHead: (position) => position >= headBytes,
    [Symbol.dispose]: () => file[Symbol.dispose](),
  };
}

/** Archives are written once, so all of one may be held in memory. */
const maxArchiveBytes = 256 * 1024 * 1024;

function decompress(compressed: OpenFile, shown: string): OpenFile {
  const stats = compressed.stats();
  let bytes: Buffer;
  try {
    const { zstdDecompressSync } = loadZlib();
    bytes = zstdDecompressSync(compressed.read(0, Number(stats.size)), { maxOutputLength: maxArchiveBytes });
  } catch (error) {
    compressed[Symbol.dispose]();
    throw refuseArchive(shown, error);
  }
  return {
    stats: () => ({ ...stats, size: BigInt(bytes.length) }),
    read: (position, length) => bytes.subarray(position, position + length),
    [Symbol.dispose]: () => compressed[Symbol.dispose](),
  };
}

function refuseArchive(shown: string, cause: unknown): LonghandError {
  const isLarge = (cause as { code?: unknown }).code === "ERR_BUFFER_TOO_LARGE";
  const reason = isLarge ? `it holds more than ${maxArchiveBytes} bytes` : "it is not a zstd archive";
  return new LonghandError(
    isLarge ? "note-too-large" : "note-unreadable",
    `${shown} cannot be read: ${reason}.`,
    { hint: "Restore the file from a backup, or remove it.", cause },
  );
}

/** Loaded lazily: it is large, and few transcripts are compressed. */
const loadZlib = () => process.getBuiltinModule("node:zlib");

/** A transcript, open for reading. */
export interface OpenFile extends Disposable {
  /** The current stats of the open file, even if it was renamed. */
  stats(): TranscriptStats;
  /** The bytes from `position` on, as many as there are up to `length`. */
  read(position: number, length: number): Buffer;
}

/**
 * Opens a regular file; null when it does not exist. Links are not followed, and a pipe or device neither blocks nor is
 * read.
 */
export function openFile(
  file: string,
  { shown, onBytes = () => {} }: { shown: string; onBytes?: ((count: number) => void) | undefined },
): OpenFile | null {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_NOCTTY = 0 } = constants;
  let fd: number;
  try {
    // Checked first, because opening a FIFO would unblock its writer.
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
    hint: "Move it; only regular files are transcripts.",
  });
}

function refuseReading(shown: string, error: unknown): unknown {
  const code = systemErrorCode(error);
  if (code === undefined) return error;
  return new LonghandError("note-unreadable", `${shown} cannot be read: the system says ${code}.`, {
    hint: "Grant yourself read permission, or try again.",
    retryable: true,
    cause: error,
  });
}

/** A complete line of a file, without its line break. Null in place of a line that is too long to hold in memory. */
export interface FileLine {
  readonly bytes: Buffer | null;
  /** Where the next line begins. */
  readonly end: number;
}

/** Longer lines are skipped: no message is this long. */
const maxLineBytes = 32 * 1024 * 1024;
const blockBytes = 64 * 1024;
const newline = 0x0a;

/**
 * The whole lines from `start` up to `limit`. Text after the last line end is still being written and is not a line yet,
 * unless it is a whole JSON object: nothing can follow that but the line end. Lines are split as bytes, so that a block
 * may end inside a character.
 */
export function* readLines(file: OpenFile, start: number, limit: number): Generator<FileLine> {
  let begun: Buffer[] = [];
  let begunBytes = 0;
  for (let position = start; position < limit; ) {
    const block = file.read(position, Math.min(blockBytes, limit - position));
    // The file was truncated; the caller checks its size afterwards.
    if (block.length === 0) return;
    let from = position === start && endsEarlierLine(file, start, block) ? 1 : 0;
    for (let at = block.indexOf(newline, from); at !== -1; at = block.indexOf(newline, from)) {
      const rest = block.subarray(from, at);
      const isTooLong = begunBytes + rest.length > maxLineBytes;
      yield { bytes: isTooLong ? null : Buffer.concat([...begun, rest]), end: position + at + 1 };
      begun = [];
      begunBytes = 0;
      from = at + 1;
    }
    const rest = block.subarray(from);
    begunBytes += rest.length;
    if (begunBytes <= maxLineBytes) begun.push(rest);
    else begun = [];
    position += block.length;
  }
  const last = Buffer.concat(begun);
  if (begunBytes <= maxLineBytes && isWholeObject(last)) yield { bytes: last, end: limit };
}

/** If an earlier read accepted an unterminated last line, its line break may have been written since. */
function endsEarlierLine(file: OpenFile, start: number, block: Buffer): boolean {
  return start > 0 && block[0] === newline && file.read(start - 1, 1)[0] !== newline;
}

function isWholeObject(bytes: Buffer): boolean {
  return bytes[0] === 0x7b && bytes.at(-1) === 0x7d && parseJson(bytes.toString("utf8")) !== undefined;
}

/** One conversation in a database. */
export interface StoredSession {
  /** Names the transcript: `sessions/<id>.jsonl`. */
  readonly id: string;
  /** The session key, where the program has one. */
  readonly key?: string | undefined;
  readonly stats: TranscriptStats;
  /** Others take part in it. */
  readonly isShared: boolean;
  /** Why it is left out; absent for conversations of the user. */
  readonly excluded?: string | undefined;
  sizeBytes(): number;
  /** Null if it no longer exists. */
  open(): OpenTranscript | null;
}

/** The transcripts that another program keeps in a database, which is only ever read. */
export interface TranscriptDatabase {
  readonly sessions: readonly StoredSession[];
}

/** Lists the conversations in a database; null if it is missing, or not of a known program. */
export type ReadTranscriptDatabase = (file: string) => TranscriptDatabase | null;

/** By its name alone, because a database must not be opened to find out what it is. */
export function mayBeTranscriptDatabase(fileName: string): boolean {
  return fileName === "openclaw-agent.sqlite" || fileName === "opencode.db";
}
