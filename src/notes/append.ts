import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, writeSync } from "node:fs";
import { LonghandError } from "../errors.ts";
import { dropOrigins } from "../text/entry-line.ts";
import { openForAppend, refuseWriting, removeIfEmpty } from "./append-file.ts";
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
  /** Each list item of the text is an entry of its own: those that stand there already are left out. */
  readonly onlyNewItems?: boolean | undefined;
}

export interface AppendResult {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  /** The same text stood there already and was not written again. */
  readonly duplicate: boolean;
}

export type PreparedEntry = Pick<EntryRequest, "text" | "heading" | "origin" | "onlyNewItems">;

/** Refuses what cannot be written, before any lock is taken. */
export function prepareEntry({ text, heading, origin, onlyNewItems }: Entry): PreparedEntry {
  return {
    onlyNewItems,
    // Where an entry came from is for its writer to say, not for the text: it may be somebody else's.
    text: cleanEntry(origin === undefined ? text : dropOrigins(text)),
    heading: heading === undefined ? undefined : cleanHeading(heading),
    origin: origin === undefined ? undefined : cleanOrigin(origin),
  };
}

/**
 * Appends an entry to a note; when this returns it is on the disk. The caller holds the lock of the notes. Programs
 * that do not know the lock may append at the same time: their text and ours both stay whole.
 */
export function appendEntry(location: Location, entry: PreparedEntry): AppendResult {
  const { path } = location;
  const { fd, isNew } = openForAppend(location);
  try {
    const existing = readBytes(fd, maxNoteBytes + 1);
    const leastBytes = existing.length + Buffer.byteLength(entry.text);
    if (leastBytes > maxNoteBytes) throw refuseSize(path, leastBytes);
    const plan = planEntry(decodeNote(existing, path), { path, ...entry });
    if (plan.kind === "duplicate") {
      // It may be the work of a process that died before it could make it durable.
      fdatasyncSync(fd);
      return { path, startLine: plan.lines.start, endLine: plan.lines.end, duplicate: true };
    }
    const addition = Buffer.from(plan.addition);
    if (existing.length + addition.length > maxNoteBytes)
      throw refuseSize(path, existing.length + addition.length);
    write(fd, addition, path);
    fdatasyncSync(fd);
    const position = findAddition(fd, addition, existing.length);
    return { path, ...linesOf(plan, readBytes(fd, position)), duplicate: false };
  } catch (error) {
    if (isNew) removeIfEmpty(location, { fd });
    throw refuseWriting(path, error);
  } finally {
    closeSync(fd);
  }
}

/** One call, so that the kernel puts all of it at the end at once. What was written only in part is undone. */
function write(fd: number, addition: Buffer, path: string): void {
  const before = fstatSync(fd).size;
  const written = writeSync(fd, addition);
  if (written === addition.length) return;
  // Text that someone else put behind ours is never cut off.
  const isUndone = fstatSync(fd).size === before + written;
  if (isUndone) ftruncateSync(fd, before);
  const why = `only ${written} of ${addition.length} bytes could be written`;
  const rest = isUndone ? "The note is as it was before" : "They stay there, because other text follows them";
  throw new LonghandError("note-unwritable", `${path} cannot be written: ${why}. ${rest}.`, {
    hint: "The disk may be full. Free some space and add it again.",
    retryable: true,
  });
}

/** Where the addition stands: at the old end, unless another program appended in the same moment. */
function findAddition(fd: number, addition: Buffer, expected: number): number {
  if (fstatSync(fd).size === expected + addition.length) return expected;
  const position = readBytes(fd, maxNoteBytes * 2).indexOf(addition, expected);
  return position === -1 ? expected : position;
}

function linesOf(
  plan: Extract<EntryPlan, { kind: "append" }>,
  before: Buffer,
): { startLine: number; endLine: number } {
  let line = 1 + plan.offset;
  for (const byte of before) if (byte === 10) line++;
  return { startLine: line, endLine: line + plan.count - 1 };
}
