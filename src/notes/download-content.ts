import { type BigIntStats, closeSync, fstatSync, read } from "node:fs";
import { promisify } from "node:util";
import { LonghandError } from "../errors.ts";
import { settleWithin } from "../timing.ts";
import type { OpenNote } from "./open-note.ts";

export interface Content {
  readonly bytes: Buffer;
  /** Taken after the last byte was read. */
  readonly after: BigIntStats;
}

/** Reads an open note and closes its descriptor, also when it fails. */
export type DownloadContent = (note: OpenNote, path: string) => Promise<Content>;

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
