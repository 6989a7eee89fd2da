import { LonghandError } from "../errors.ts";
import { sha256 } from "../text/hash.ts";
import { monotonicMs } from "../timing.ts";
import { locateListed } from "./locate.ts";
import { type NoteLocation, ownLocations, type Workspace } from "./note-locations.ts";
import { createImpatientDownload, type NoteBytes, readNote } from "./read.ts";

export interface Note {
  readonly path: string;
  readonly text: string;
  /** See `sources/source.ts`. */
  readonly version: string;
  /** SHA-256 of the bytes, hex. */
  readonly hash: string;
  readonly sizeBytes: number;
  readonly modifiedAt: Date;
}

export function toNote(path: string, { bytes, version, modifiedAt }: NoteBytes): Note {
  const text = decodeNote(bytes, path);
  let hash: string | undefined;
  return {
    path,
    text,
    version,
    // Computed on first use: not every reader asks for it, and a command that hashes nothing starts faster.
    get hash() {
      hash ??= sha256(bytes);
      return hash;
    },
    sizeBytes: bytes.length,
    modifiedAt,
  };
}

/**
 * The text of a note. Bytes that are not UTF-8 become U+FFFD and a byte-order mark is dropped; this never fails on
 * text. A file with a NUL near its start counts as binary data; a stray NUL further on becomes U+FFFD, too.
 */
export function decodeNote(bytes: Buffer, path: string): string {
  refuseBinary(bytes, path);
  return replaceNul(utf8.decode(bytes));
}

/** Making one takes as long as decoding a note. */
const utf8 = new TextDecoder();

/** Like `decodeNote`, for a run of whole lines from a note that has been checked. */
export function decodeLines(bytes: Uint8Array, { isStart }: { isStart: boolean }): string {
  return replaceNul(new TextDecoder("utf-8", { ignoreBOM: !isStart }).decode(bytes));
}

export function refuseBinary(bytes: Buffer, path: string): void {
  if (!bytes.subarray(0, sampleBytes).includes(0)) return;
  const isUtf16 = bytes.length > 1 && [0xfffe, 0xfeff].includes(bytes.readUInt16BE(0));
  const content = isUtf16 ? "UTF-16" : "binary data";
  throw new LonghandError("note-binary", `${path} cannot be read as text: it holds ${content}.`, {
    hint: isUtf16 ? "Save it as UTF-8." : "Rename it so that it does not end in .md, or exclude it.",
  });
}

const sampleBytes = 8 * 1024;

export const byteOrderMark = Buffer.from("\ufeff");

export function hasByteOrderMark(bytes: Buffer): boolean {
  return bytes.subarray(0, 3).equals(byteOrderMark);
}

function replaceNul(text: string): string {
  return text.includes("\0") ? text.replaceAll("\0", "\ufffd") : text;
}

/** Reads notes that a scan has listed; null when the note no longer exists. */
export function createNoteReader(
  workspace: Workspace,
  { now }: { now: () => Date },
): (path: string) => Promise<Note | null> {
  const download = createImpatientDownload();
  let recent: { readonly locations: readonly NoteLocation[]; readonly sinceMs: number } | undefined;

  /**
   * Resolving the workspace takes as long as reading a note, and many are read in a row. If the workspace moves in the
   * meantime, the guard still refuses everything outside the folder that was found.
   */
  function recentLocations(): readonly NoteLocation[] {
    const nowMs = monotonicMs();
    if (recent === undefined || nowMs - recent.sinceMs > recentMs) {
      recent = { locations: ownLocations(workspace), sinceMs: nowMs };
    }
    return recent.locations;
  }

  return async (path) => {
    const note = await readNote(locateListed(workspace, path, recentLocations()), { now, download });
    return note === null ? null : toNote(path, note);
  };
}

const recentMs = 50;
