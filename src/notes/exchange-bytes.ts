import { closeSync, fchmodSync, fstatSync, linkSync, lstatSync, rmdirSync } from "node:fs";
import { join, posix } from "node:path";
import { LonghandError, unlessRefused } from "../errors.ts";
import { removeFileSync, renameFileSync } from "../files.ts";
import { sha256 } from "../text/hash.ts";
import { refuseWriting } from "./append-file.ts";
import { type EditResult, editNote } from "./edit-file.ts";
import type { Location } from "./locate.ts";
import { type Folder, openFolderOf, writeTemporary } from "./note-folder.ts";
import { openNote } from "./open-note.ts";
import { maxNoteBytes, readBytes, refuseSize } from "./read.ts";
import { refuseChanged } from "./seen-note.ts";

/** A note byte for byte. */
export interface ExactNote {
  readonly bytes: Buffer;
  readonly hash: string;
  /** Permissions; a new note made from its lines gets no more than these. */
  readonly mode: number;
}

interface ExchangeRequest {
  /** SHA-256 that the note must have; null if it must not exist. */
  readonly before: string | null;
  /** Null to delete it. */
  readonly after: Buffer | null;
  /** Of a new note. */
  readonly mode?: number | undefined;
  readonly now: () => Date;
}

export function readExactly(location: Location): ExactNote | null {
  const note = openNote(location);
  if (note === null) return null;
  try {
    if (note.stats.size > maxNoteBytes) throw refuseSize(location.path, note.stats.size);
    const bytes = readBytes(note.fd, maxNoteBytes + 1);
    return { bytes, hash: sha256(bytes), mode: Number(fstatSync(note.fd).mode) & 0o777 };
  } finally {
    closeSync(note.fd);
  }
}

/** Compare-and-set of a whole note. The caller holds the lock of the notes. */
export function exchangeBytes(
  location: Location,
  { before, after, mode = 0o644, now }: ExchangeRequest,
): EditResult {
  const { path } = location;
  if (before !== null) {
    return editNote(
      location,
      (bytes, { mode: seenMode }) => {
        if (sha256(bytes) !== before) throw refuseChanged(path, "it is not as it was seen");
        // A rename replaces even a read-only file.
        if ((Number(seenMode) & 0o222) === 0) throw refuseProtected(path);
        return after;
      },
      { now },
    );
  }
  try {
    if (after === null) {
      if (isThere(location)) throw refuseChanged(path, "there is such a note by now");
      return { path, before: "", after: null };
    }
    if (after.length > maxNoteBytes) throw refuseSize(path, after.length, "would have");
    using folder = openFolderOf(location, { make: true })!;
    create(folder, folder.noteName, { path, bytes: after, mode });
    return { path, before: "", after: sha256(after) };
  } catch (error) {
    throw refuseWriting(path, error);
  }
}

/** Removes the folder of a note, and those above it, as far as they are empty; `memory/` and the like stay. */
export function removeEmptyFolders(location: Location): void {
  let relative = posix.dirname(location.relative);
  while (relative.includes("/")) {
    using above = openFolderOf({ ...location, relative }, { make: false });
    if (above === null) return;
    const { path, noteName } = above;
    // The folders above one that stays are not empty either.
    unlessRefused(
      () => rmdirSync(join(path, noteName)),
      () => {},
    );
    relative = posix.dirname(relative);
  }
}

function refuseProtected(path: string): LonghandError {
  return new LonghandError("note-unwritable", `${path} was left as it is: the file is read-only.`, {
    hint: "Give yourself the right to write to it, then try again.",
  });
}

function isThere(location: Location): boolean {
  using folder = openFolderOf(location, { make: false });
  if (folder === null) return false;
  return lstatSync(join(folder.path, folder.noteName), { throwIfNoEntry: false }) !== undefined;
}

/** Writes the note whole and durable before it gets its name, which must be free. */
function create(
  folder: Folder,
  name: string,
  { path, bytes, mode }: { path: string; bytes: Buffer; mode: number },
): void {
  const draft = writeTemporary(folder, bytes, (fd) => {
    if (process.platform !== "win32") fchmodSync(fd, mode);
  });
  try {
    giveName(draft.file, join(folder.path, name), path);
    folder.sync();
  } finally {
    removeFileSync(draft.file);
  }
}

/**
 * A hard link never replaces an existing file. Where hard links are not supported (every system has its own error code;
 * Windows on exFAT says `EISDIR`), a check before the rename has to do.
 */
export function giveName(draft: string, file: string, path: string, link = linkSync): void {
  unlessRefused(
    () => link(draft, file),
    () => {
      if (lstatSync(file, { throwIfNoEntry: false }) !== undefined)
        throw refuseChanged(path, "there is such a note by now");
      renameFileSync(draft, file);
    },
  );
}
