import { closeSync, fdatasyncSync, fstatSync, readSync, writeSync } from "node:fs";
import { LonghandError, messageOf, systemErrorCode } from "../errors.ts";
import { dropOrigins } from "../text/entry-line.ts";
import {
  cutOff,
  hintFor,
  isCurrent,
  type NoteToAppend,
  openForAppend,
  refuseWriting,
  removeIfEmpty,
} from "./append-file.ts";
import { isYoung, staysSo } from "./busy-note.ts";
import { decodeNote } from "./decode.ts";
import { cleanEntry, cleanHeading, cleanOrigin } from "./entry-text.ts";
import type { Location } from "./locate.ts";
import { type EntryPlan, type EntryRequest, planEntry } from "./plan-entry.ts";
import { maxNoteBytes, readBytes, refuseSize } from "./read.ts";

export interface Entry {
  readonly text: string;
  /** Goes to the end of this section; `## Name` also fixes its level. */
  readonly heading?: string | undefined;
  /** Where the entry came from; kept in a comment beside it. */
  readonly origin?: string | undefined;
  /** Each list item of the text is an entry of its own: those that are there already are left out. */
  readonly onlyNewItems?: boolean | undefined;
  /** Writes the text even where it is there already: it may hold again. */
  readonly repeat?: boolean | undefined;
}

export interface AppendResult {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  /** The text was there already and was not written again. */
  readonly duplicate: boolean;
}

export type PreparedEntry = Pick<EntryRequest, "text" | "heading" | "origin" | "onlyNewItems" | "repeat">;

/** Refuses what cannot be written, before any lock is taken. */
export function prepareEntry({ text, heading, origin, onlyNewItems, repeat }: Entry): PreparedEntry {
  return {
    onlyNewItems,
    repeat,
    // Where an entry came from is for its writer to say, not for the text: it may be somebody else's.
    text: cleanEntry(origin === undefined ? text : dropOrigins(text)),
    heading: heading === undefined ? undefined : cleanHeading(heading),
    origin: origin === undefined ? undefined : cleanOrigin(origin),
  };
}

/** Moments between two calls to the file system at which another program may do something. */
export type AppendStep = "read" | "written" | "synced";

/**
 * Appends an entry to a note; when this returns it is on the disk, and in the file that the path leads to. The caller
 * holds the lock of the notes. Programs that do not know the lock may append at the same time: their text and ours both
 * stay whole. Where one replaces the note meanwhile, as editors do when they save, the entry is written again.
 */
export function appendEntry(
  location: Location,
  entry: PreparedEntry,
  /** For tests, which have another program do something just then. */
  at: (step: AppendStep) => void = () => {},
): AppendResult {
  const { path } = location;
  const history: History = { isWritten: false, isSynced: false };
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const note = openForAppend(location);
    if (note === null) continue;
    try {
      const result = attemptAppend(location, note, entry, { attempt, history, at });
      if (result !== null) return result;
    } catch (error) {
      if (note.isNew) removeIfEmpty(location, note);
      throw refuseWriting(path, error);
    } finally {
      closeSync(note.fd);
    }
  }
  throw history.isWritten ? refuseUnconfirmed(path) : refuseMoving(path);
}

/** What the earlier attempts of one call have reached. */
interface History {
  isWritten: boolean;
  /** The entry was made durable in a file that was the note at that time. */
  isSynced: boolean;
}

/** Null when another program replaced the note before the entry was proved to be in it. */
function attemptAppend(
  location: Location,
  note: NoteToAppend,
  entry: PreparedEntry,
  { attempt, history, at }: { attempt: number; history: History; at: (step: AppendStep) => void },
): AppendResult | null {
  const { path } = location;
  const { fd } = note;
  const existing = readBytes(fd, maxNoteBytes + 1);
  const minBytes = existing.length + Buffer.byteLength(entry.text);
  if (minBytes > maxNoteBytes) throw refuseSize(path, minBytes);
  const plan = planEntry(decodeNote(existing, path), { path, ...entry });
  at("read");
  if (plan.kind === "duplicate") {
    const result = {
      path,
      startLine: plan.lines.start,
      endLine: plan.lines.end,
      // Text of this very call that whoever replaced the note had read.
      duplicate: !history.isWritten,
    };
    // Whoever replaces the note faster than a disk can write answers for its own files; the one before is durable.
    if (history.isSynced && attempt > maxSyncedAttempts) return result;
    // It may be the work of a process that died before it could make it durable.
    fdatasyncSync(fd);
    history.isSynced = true;
    at("synced");
    return isCurrent(note, location) ? result : null;
  }
  const addition = Buffer.from(plan.addition);
  if (existing.length + addition.length > maxNoteBytes) {
    throw refuseSize(path, existing.length + addition.length);
  }
  history.isSynced = false;
  write(note, location, addition);
  history.isWritten = true;
  at("written");
  // A file that was replaced already is not worth a write to the disk.
  if (!isCurrent(note, location)) return null;
  sync(note, location, addition);
  history.isSynced = true;
  at("synced");
  const isBusy = attempt > 1 || note.isNew || isYoung(note.stats);
  const isStillThere = () => isCurrent(note, location);
  if (!(isBusy ? staysSo(isStillThere) : isStillThere())) return null;
  const position = findAddition(fd, addition, existing.length);
  if (position === null) return null;
  return { path, ...linesOf(plan, readBytes(fd, position)), duplicate: false };
}

/** Far more than a program that saves every few milliseconds needs. */
const maxAttempts = 30;
const maxSyncedAttempts = 4;

/** One call, so that the kernel puts all of it at the end at once. What was written only in part is undone. */
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
 * After a failure the kernel may forget which pages it could not write, and call the next attempt a success. So the
 * entry is taken back: adding it again then writes it again, and does not find it in memory that no disk has.
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

/** Cuts off what was just written; false where someone else put text behind it, which is never cut off. */
function undo(
  note: NoteToAppend,
  location: Location,
  { before, length, expected }: { before: number; length: number; expected?: Buffer },
): boolean {
  if (fstatSync(note.fd).size !== before + length) return false;
  if (expected !== undefined && !isAt(note.fd, expected, before)) return false;
  return cutOff(note, location, before);
}

/** Where the addition stands: at the old end, unless another program wrote in the same moment; null when nowhere. */
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

function refuseUnconfirmed(path: string): LonghandError {
  const why = "another program replaced the note each time it was written";
  return new LonghandError(
    "entry-unconfirmed",
    `It is not certain that the entry is in ${path}: ${why}. It may or may not be there.`,
    {
      hint: "Add it again when that program is done; an entry that is there is not written twice.",
      retryable: true,
    },
  );
}

function refuseMoving(path: string): LonghandError {
  return new LonghandError(
    "note-unwritable",
    `${path} cannot be written: its path kept changing meanwhile.`,
    {
      hint: "Nothing was added. Try again when the program that changes it is done.",
      retryable: true,
    },
  );
}

function linesOf(
  plan: Extract<EntryPlan, { kind: "append" }>,
  before: Buffer,
): { startLine: number; endLine: number } {
  let line = 1 + plan.offset;
  for (const byte of before) if (byte === 10) line++;
  return { startLine: line, endLine: line + plan.count - 1 };
}
