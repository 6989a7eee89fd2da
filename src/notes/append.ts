import { closeSync, fdatasyncSync, fstatSync, readSync, writeSync } from "node:fs";
import { LonghandError, messageOf, systemErrorCode } from "../errors.ts";
import { dropOrigins } from "../text/entry-line.ts";
import {
  cutOff,
  hintFor,
  isCurrent,
  isRecent,
  keepsHolding,
  type NoteToAppend,
  openForAppend,
  readFromServer,
  refuseWriting,
  removeIfEmpty,
} from "./append-file.ts";
import { cleanEntry, cleanHeading, cleanOrigin } from "./entry-text.ts";
import type { Location } from "./locate.ts";
import { decodeNote } from "./note.ts";
import { openNote } from "./open-note.ts";
import { type EntryPlan, type EntryRequest, planEntry } from "./plan-entry.ts";
import { maxNoteBytes, readBytes, refuseSize } from "./read.ts";

export interface Entry {
  readonly text: string;
  /** Goes to the end of this section; `## Name` also fixes its level. */
  readonly heading?: string | undefined;
  /** Where the entry came from; kept in a comment beside it. */
  readonly origin?: string | undefined;
  /** Each list item of the text is an entry of its own: those that exist already are skipped. */
  readonly onlyNewItems?: boolean | undefined;
  /** Writes the text even if it exists already: it may be true again. */
  readonly repeat?: boolean | undefined;
}

export interface AppendResult {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  /** The text already existed and was not written again. */
  readonly duplicate: boolean;
}

type PreparedEntry = Pick<EntryRequest, "text" | "heading" | "origin" | "onlyNewItems" | "repeat">;

/** Refuses what cannot be written, before any lock is taken. */
export function prepareEntry({ text, heading, origin, onlyNewItems, repeat }: Entry): PreparedEntry {
  return {
    onlyNewItems,
    repeat,
    // The origin comes from the writer alone: the text may be someone else's and claim another.
    text: cleanEntry(origin === undefined ? text : dropOrigins(text)),
    heading: heading === undefined ? undefined : cleanHeading(heading),
    origin: origin === undefined ? undefined : cleanOrigin(origin),
  };
}

/** Points between two file system calls at which another program may intervene. */
export type AppendStep = "read" | "written" | "synced" | "closed";

/** A lock that other machines respect, too. */
export interface NotesLock {
  /** Throws when another machine took the lock away, so that nothing may be written any more. */
  confirm(): void;
}

interface AppendOptions {
  /** Where other machines write to the notes as well. */
  readonly shared?: NotesLock | undefined;
  /** For tests, which let another program intervene there. */
  readonly at?: ((step: AppendStep) => void) | undefined;
}

/**
 * Appends an entry to a note; when this returns, it is on disk in the file that the path leads to. The caller holds the
 * lock of the notes. Programs that do not know the lock may append at the same time: their text and ours both stay
 * whole. If one replaces the note meanwhile, as editors do when they save, the entry is written again.
 */
export function appendEntry(
  location: Location,
  entry: PreparedEntry,
  { shared, at = () => {} }: AppendOptions = {},
): AppendResult {
  const { path } = location;
  const history: History = { last: null, isSynced: false };
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const note = openForAppend(location);
    if (note === null) continue;
    let result: AppendResult | null;
    try {
      result = attemptAppend(location, note, entry, { attempt, history, shared, at });
    } catch (error) {
      if (note.isNew) removeIfEmpty(location, note);
      const code = systemErrorCode(error);
      // What was written is still there, but could not be verified.
      if (history.last !== null && code !== undefined)
        throw refuseUnconfirmed(path, `the system says ${code}`);
      throw refuseWriting(path, error);
    } finally {
      closeSync(note.fd);
    }
    if (result === null) continue;
    at("closed");
    if (shared === undefined || isKept(location, history.last)) return result;
  }
  throw history.last === null ? refuseMoving(path) : refuseUnconfirmed(path);
}

type AppendPlan = Extract<EntryPlan, { kind: "append" }>;

/** What the earlier attempts of one call achieved. */
interface History {
  /** What was last written, and where it begins in the file. */
  last: { readonly plan: AppendPlan; readonly addition: Buffer; readonly start: number } | null;
  /** The entry was made durable in a file that was the note at that time. */
  isSynced: boolean;
}

interface Attempt {
  readonly attempt: number;
  readonly history: History;
  readonly at: (step: AppendStep) => void;
}

/** Null when another program replaced the note before the entry was verified to be in it. */
function attemptAppend(
  location: Location,
  note: NoteToAppend,
  entry: PreparedEntry,
  { attempt, history, shared, at }: AppendOptions & Attempt,
): AppendResult | null {
  const { path } = location;
  const { fd } = note;
  const existing = readBytes(fd, maxNoteBytes + 1);
  if (existing.length > maxNoteBytes) throw refuseSize(path, fstatSync(fd).size);
  const torn = history.last !== null && isTornCopy(existing, history.last) ? history.last : null;
  const plan = torn?.plan ?? planEntry(decodeNote(existing, path), { path, ...entry });
  at("read");
  if (plan.kind === "duplicate") {
    const result = {
      path,
      startLine: plan.lines.start,
      endLine: plan.lines.end,
      // Written by this call, and kept by the program that replaced the note.
      duplicate: history.last === null,
    };
    // A program that replaces the note faster than a disk can sync is responsible for its own files.
    if (history.isSynced && attempt > maxSyncedAttempts) return result;
    // It may have been written by a process that died before its sync.
    fdatasyncSync(fd);
    history.isSynced = true;
    at("synced");
    return isCurrent(note, location) ? result : null;
  }
  const { addition, start } = torn ?? { addition: Buffer.from(plan.addition), start: existing.length };
  if (start + addition.length > maxNoteBytes) throw refuseSize(path, start + addition.length, "would have");
  const missing = addition.subarray(existing.length - start);
  history.isSynced = false;
  // As late as possible: on a share there is no append, only a write to where the note ended when it was opened.
  shared?.confirm();
  write(note, location, missing);
  history.last = { plan, addition, start };
  at("written");
  // A file that was already replaced is not worth a sync.
  if (!isCurrent(note, location)) return null;
  sync(note, location, missing);
  history.isSynced = true;
  at("synced");
  const isBusy = attempt > 1 || note.isNew || isRecent(note.stats);
  const isStillThere = () => isCurrent(note, location);
  if (!(isBusy ? keepsHolding(isStillThere) : isStillThere())) return null;
  const position = findAddition(fd, addition, start);
  if (position === null) return null;
  return { path, ...linesOf(plan, readBytes(fd, position)), duplicate: false };
}

/**
 * Whether a program read the note while the kernel was still appending the entry, page by page, and saved what it read.
 * Only the rest is missing then.
 */
function isTornCopy(existing: Buffer, { addition, start }: NonNullable<History["last"]>): boolean {
  const length = existing.length - start;
  return (
    length > 0 && length < addition.length && existing.subarray(start).equals(addition.subarray(0, length))
  );
}

/** Far more than a program that saves every few milliseconds needs. */
const maxAttempts = 30;
const maxSyncedAttempts = 4;

/** One call, so that the kernel appends all of it at once. A partial write is undone. */
function write(note: NoteToAppend, location: Location, addition: Buffer): void {
  const { fd } = note;
  const { path } = location;
  const before = fstatSync(fd).size;
  const written = writeSync(fd, addition);
  if (written === addition.length) return;
  const rest = undo(note, location, { before, length: written })
    ? undone
    : "They stay there, because other text follows them";
  const why = `only ${written} of ${addition.length} bytes could be written`;
  throw new LonghandError("note-unwritable", `${path} cannot be written: ${why}. ${rest}.`, {
    hint: "The disk may be full. Free some space and add it again.",
    retryable: true,
  });
}

const undone = "The note is as it was before";

/**
 * After a failed sync the kernel may drop the dirty pages and report success next time. So the entry is removed:
 * otherwise a retry would find it in the page cache and never write it to disk.
 */
function sync(note: NoteToAppend, location: Location, addition: Buffer): void {
  const { fd } = note;
  const { path } = location;
  try {
    fdatasyncSync(fd);
  } catch (error) {
    const before = fstatSync(fd).size - addition.length;
    const isUndone = undo(note, location, { before, length: addition.length, expected: addition });
    const rest = isUndone ? undone : "The entry may or may not be in it, because other text follows";
    throw new LonghandError(
      "note-unwritable",
      `${path} cannot be written to the disk: the system says ${systemErrorCode(error) ?? messageOf(error)}. ${rest}.`,
      { hint: hintFor(error), cause: error },
    );
  }
}

/** Truncates what was just written; false when another program appended after it, because that text is never cut. */
function undo(
  note: NoteToAppend,
  location: Location,
  { before, length, expected }: { before: number; length: number; expected?: Buffer },
): boolean {
  if (fstatSync(note.fd).size !== before + length) return false;
  if (expected !== undefined && !isAt(note.fd, expected, before)) return false;
  return cutOff(note, location, before);
}

/** Whether the note has the entry when it is opened again; the descriptor that wrote it would show it in any case. */
function isKept(location: Location, last: History["last"]): boolean {
  if (last === null) return true;
  const note = openNote(location);
  if (note === null) return false;
  try {
    return readFromServer(note, maxNoteBytes * 2).includes(last.addition);
  } finally {
    closeSync(note.fd);
  }
}

/** The position of the addition: the old end, unless another program wrote at the same time; null when it is missing. */
function findAddition(fd: number, addition: Buffer, expected: number): number | null {
  if (isAt(fd, addition, expected)) return expected;
  const position = readBytes(fd, maxNoteBytes * 2).indexOf(addition);
  return position === -1 ? null : position;
}

function isAt(fd: number, bytes: Buffer, position: number): boolean {
  const there = Buffer.alloc(bytes.length);
  return (
    position >= 0 && readSync(fd, there, 0, there.length, position) === there.length && there.equals(bytes)
  );
}

function refuseUnconfirmed(
  path: string,
  why = "another program replaced the note each time it was written",
): LonghandError {
  return new LonghandError(
    "entry-unconfirmed",
    `It is not certain that the entry is in ${path}: ${why}. It may or may not be there.`,
    { hint: "Fix that and add it again; an entry that exists is not written twice.", retryable: true },
  );
}

function refuseMoving(path: string): LonghandError {
  return new LonghandError(
    "note-unwritable",
    `${path} cannot be written: its path kept changing meanwhile.`,
    { hint: "Nothing was added. Try again when the program that changes it is done.", retryable: true },
  );
}

function linesOf(plan: AppendPlan, before: Buffer): { startLine: number; endLine: number } {
  let line = 1 + plan.offset;
  for (const byte of before) if (byte === 10) line++;
  return { startLine: line, endLine: line + plan.count - 1 };
}
