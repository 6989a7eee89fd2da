import type { BigIntStats } from "node:fs";
import { LonghandError } from "../../errors.ts";
import { sha256 } from "../../text/hash.ts";
import { type OpenFile, openFile } from "./open-file.ts";
import { type FileLine, readLines } from "./read-lines.ts";

/** What tells one state of a transcript from another without reading it. */
export type TranscriptStats = Pick<BigIntStats, "dev" | "ino" | "size" | "mtimeNs" | "ctimeNs" | "mtime">;

/** A transcript, open for reading. Positions only grow: bytes in a file, events in a database. */
export interface OpenTranscript extends Disposable {
  /** As of now. Another `ino` means that other content has taken its place. */
  stats(): TranscriptStats;
  /** The position behind all that is there now. */
  end(): number;
  /** The whole lines from `start` on, each with the position behind it. */
  lines(start: number, limit: number): Iterable<FileLine>;
  /** Hashes of the first and of the last content before a position. */
  head(position: number): string;
  tail(position: number): string;
  /** Whether the head stays as it is, whatever follows behind the position. */
  hasWholeHead(position: number): boolean;
  /** Its bytes, where it is a file: only a file can be one large JSON value. */
  readonly file: OpenFile | null;
}

const headBytes = 4096;
const tailBytes = 1024;

/** Opens a transcript that is a file of its own; null when nothing is there. */
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

/** It loads much of Node with it, and few transcripts are compressed. */
const loadZlib = () => process.getBuiltinModule("node:zlib");
