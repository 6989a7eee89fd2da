import { type BigIntStats, closeSync, fstatSync, read, readSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { LonghandError } from "../errors.ts";
import { settleWithin } from "../timing.ts";
import type { Location } from "./locate.ts";
import { type OpenNote, openNote, refuseReading } from "./open-note.ts";

/** The bytes of a note at one moment. */
export interface NoteBytes {
  readonly bytes: Buffer;
  /** See `versionWhenRead`. */
  readonly version: string;
  readonly modifiedAt: Date;
  readonly dev: bigint;
  readonly ino: bigint;
}

/** Larger notes are skipped everywhere; every other note fits in memory. */
export const maxNoteBytes = 16 * 1024 * 1024;

/** Reads a whole note; null when nothing is there. A note that changes meanwhile is read again. */
export async function readNote(
  location: Location,
  { now, download = downloadContent }: { now: () => Date; download?: DownloadContent | undefined },
): Promise<NoteBytes | null> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const readAt = now();
    const note = openNote(location);
    if (note === null) return null;
    if (note.stats.size > maxNoteBytes) {
      closeSync(note.fd);
      throw refuseSize(location.path, note.stats.size);
    }
    try {
      const { bytes, after } = mayBePlaceholder(note.stats)
        ? await download(note, location.path)
        : readContent(note);
      if (BigInt(bytes.length) === after.size && versionOf(note.stats) === versionOf(after)) {
        const { dev, ino, mtime: modifiedAt } = after;
        return { bytes, version: versionWhenRead(after, readAt), modifiedAt, dev, ino };
      }
    } catch (error) {
      throw refuseReading(location.path, error);
    }
    await sleep(attempt * 2);
  }
  throw new LonghandError("note-unreadable", `${location.path} cannot be read: it kept changing meanwhile.`, {
    hint: "Try again when the program that writes it is done.",
    retryable: true,
  });
}

/** Most notes are on a local disk, where reading synchronously is much faster. */
function readContent({ fd, stats }: OpenNote): Content {
  try {
    const bytes = readBytes(fd, maxNoteBytes + 1, Number(stats.size));
    return { bytes, after: fstatSync(fd, { bigint: true }) };
  } finally {
    closeSync(fd);
  }
}

/** Reads from the beginning to the end, but no further than `limitBytes`. */
export function readBytes(fd: number, limitBytes: number, sizeBytes = fstatSync(fd).size): Buffer {
  let bytes = Buffer.allocUnsafe(Math.min(sizeBytes + 1, limitBytes));
  let length = 0;
  for (;;) {
    length += readSync(fd, bytes, length, bytes.length - length, length);
    // A read of a regular file is short only at its end.
    if (length < bytes.length || length === limitBytes) return bytes.subarray(0, length);
    bytes = Buffer.concat([bytes], Math.min(bytes.length * 2, limitBytes));
  }
}

export function refuseSize(
  path: string,
  sizeBytes: bigint | number,
  verb: "has" | "would have" = "has",
): LonghandError {
  const message = `${path} ${verb} ${mebibytes(sizeBytes)}; a note may have ${mebibytes(maxNoteBytes)}.`;
  return new LonghandError("note-too-large", message, {
    hint: "Split it into several notes, or leave it out with an exclude pattern.",
  });
}

/** Rounded up, so that a note that is too large never seems to fit. */
export function mebibytes(sizeBytes: bigint | number): string {
  return `${Math.ceil((Number(sizeBytes) / 2 ** 20) * 10) / 10} MiB`;
}

const maxAttempts = 8;

type FileStats = Pick<BigIntStats, "dev" | "ino" | "size" | "mtimeNs" | "ctimeNs">;

/** Equal versions of one path mean equal contents, unless the file changed twice within the timestamp resolution. */
export function versionOf(
  { dev, ino, size, mtimeNs, ctimeNs }: FileStats,
  marks: readonly string[] = [],
): string {
  // Most files have the same time for both.
  const changed = ctimeNs === mtimeNs ? "" : ctimeNs;
  // A template literal would keep a tree of its parts, and a listing may hold a million of these.
  return [dev, ino, size, mtimeNs, changed, ...marks].join(":");
}

/**
 * The version of a file whose reading began at `readAt`. A file that changed shortly before may change again without a
 * new timestamp, so its version gets a suffix that no listing has, and the next scan reads it again. The same goes for
 * timestamps in the future.
 */
export function versionWhenRead(stats: FileStats, readAt: Date): string {
  const safeBeforeNs = BigInt(readAt.getTime() - coarsestClockMs) * 1_000_000n;
  const isRacy = stats.mtimeNs >= safeBeforeNs || stats.ctimeNs >= safeBeforeNs;
  return isRacy ? `${versionOf(stats)}:racy` : versionOf(stats);
}

/** FAT timestamps have a resolution of two seconds; nothing in use is coarser. */
const coarsestClockMs = 2000;

export interface Content {
  readonly bytes: Buffer;
  /** Taken after the last byte was read. */
  readonly after: BigIntStats;
}

/** Reads an open note and closes its descriptor, also when it fails. */
type DownloadContent = (note: OpenNote, path: string) => Promise<Content>;

/**
 * Whether the content may have to be downloaded before it can be read: placeholders in cloud folders have a size but no
 * allocated blocks. Windows shows small local files in the same way, and some file systems show all files so.
 */
export function mayBePlaceholder({ size, blocks }: Pick<BigIntStats, "size" | "blocks">): boolean {
  return size > 0n && blocks === 0n;
}

/** Reads in another thread, because a download may take minutes and must not block the rest. */
export const downloadContent: DownloadContent = async ({ fd, stats }) => {
  try {
    // One extra byte shows whether it has grown.
    const bytes = Buffer.allocUnsafe(Number(stats.size) + 1);
    let length = 0;
    while (length < bytes.length) {
      const { bytesRead } = await readAside(fd, bytes, length, bytes.length - length, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return { bytes: bytes.subarray(0, length), after: fstatSync(fd, { bigint: true }) };
  } finally {
    closeSync(fd);
  }
};

const readAside = promisify(read);

/**
 * For a caller with many notes to read: a download that exceeds the limit continues in the background, and until it
 * ends its note is refused at once.
 */
export function createImpatientDownload(
  limitMs = defaultLimitMs,
  download: DownloadContent = downloadContent,
): DownloadContent {
  const slow = new Set<string>();
  return async (note, path) => {
    if (slow.has(path) || slow.size >= maxSlow) {
      closeSync(note.fd);
      throw refuseDownload(path);
    }
    const content = download(note, path);
    const first = await settleWithin(limitMs, content);
    if (first !== undefined) return first;
    slow.add(path);
    content.catch(() => {}).finally(() => slow.delete(path));
    throw refuseDownload(path);
  };
}

const defaultLimitMs = 5000;

/** Node has four threads for all file access. */
const maxSlow = 2;

function refuseDownload(path: string): LonghandError {
  return new LonghandError("note-unreadable", `${path} cannot be read: it is still being downloaded.`, {
    hint: "The first search after the download indexes it. If the download never ends, check the connection.",
    retryable: true,
    cause: new DOMException("the download takes long", "TimeoutError"),
  });
}
