import { messageOf } from "../errors.ts";
import { isLongTerm, scopeOf } from "../notes/note-path.ts";
import type { Notes } from "../notes/notes.ts";
import { allLines } from "../notes/read-lines.ts";
import { settleWithin } from "../timing.ts";

export interface StartSessionRequest {
  /** The session that starts. Private notes are left out in a group or channel, or if its kind is unknown. */
  readonly sessionKey?: string | undefined;
  /** `later` leaves indexing to the next sync, which every search starts with; for callers that are short of time. */
  readonly indexing?: "now" | "later" | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A note, or the part of it that fits. */
export interface StartNote {
  readonly path: string;
  readonly text: string;
  /** First line of `text`, 1-based. */
  readonly from: number;
  readonly lines: number;
  readonly totalLines: number;
}

/** What an agent should read first. The same notes give the same result, byte for byte. */
export interface SessionStart {
  /** The long-term memory, the user's first, then yesterday's notes, then today's. */
  readonly notes: readonly StartNote[];
  /** Notes of these days that did not fit. */
  readonly omitted: readonly string[];
  /** The index may be stale: it was not synced, or not within the time that a search would wait. */
  readonly stale: boolean;
  /** What the sync could not do, in plain words. */
  readonly degraded: readonly string[];
  /** False if strangers may have written the notes; `startPromptSection` then says so. */
  readonly trusted: boolean;
}

interface StartLimits {
  readonly maxNoteChars: number;
  readonly maxTotalChars: number;
  /** The user's share of them at most: the session is about the project. */
  readonly maxUserChars: number;
}

/** What hosts accept from a hook, with room for the text around it. */
export const startLimits: StartLimits = { maxNoteChars: 4000, maxTotalChars: 8500, maxUserChars: 2500 };

interface StartParts {
  readonly notes: Pick<Notes, "scan" | "readLines" | "daily">;
  readonly today: string;
  readonly yesterday: string;
  readonly isShared: boolean;
  readonly limits: StartLimits;
  /** The user's long-term memory, for any project. */
  readonly ofUser?: readonly StartNote[] | undefined;
  /** Masks secrets: what an agent reads unasked is sent to its model. */
  readonly mask: (text: string) => Promise<string>;
  /** Syncs the index; absent if that is not wanted. */
  readonly catchUp?: (() => Promise<Pick<SessionStart, "stale" | "degraded">>) | undefined;
  /** How long the answer waits for the sync. */
  readonly waitMs: number;
  readonly trusted: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Reads the notes to start with: the newest lines of daily notes, the first lines of the long-term memory. */
export async function startSession(parts: StartParts): Promise<SessionStart> {
  const { notes, today, yesterday, isShared, limits, signal } = parts;
  const ofUser = (parts.ofUser ?? []).map((note) => shorten(note, limits.maxUserChars));
  const freshness = waitForIndex(parts);
  // Only these few are read, of possibly thousands.
  const isWanted = (path: string) =>
    isLongTerm(path) || [today, yesterday].includes(notes.daily.dateOf(path) ?? "");
  const { entries } = await notes.scan({ signal, isWanted });
  const paths = entries.map(({ path }) => path).sort();
  const ofDay = (day: string) =>
    paths.filter((path) => notes.daily.dateOf(path) === day && scopeOf(path) !== "private");
  const longTerm = isShared ? [] : paths.filter(isLongTerm);
  // Space is allotted by priority; the result is in chronological order.
  const byNeed = [...ofDay(today), ...longTerm, ...ofDay(yesterday)];
  const read = new Map<string, StartNote>();
  const omitted: string[] = [];
  let room = ofUser.reduce((left, { text }) => left - text.length, limits.maxTotalChars);
  for (const path of byNeed) {
    const note = await readNote(path);
    if (note === null) continue;
    if (note.text === "") omitted.push(path);
    else read.set(path, note);
    room -= note.text.length;
  }
  const shown = [...longTerm, ...ofDay(yesterday), ...ofDay(today)];
  return {
    notes: [...ofUser, ...shown.flatMap((path) => read.get(path) ?? [])],
    omitted,
    trusted: parts.trusted,
    ...(await freshness),
  };

  async function readNote(path: string): Promise<StartNote | null> {
    const whole = await notes.readLines({
      path,
      ...allLines,
      sharedOnly: isShared,
    });
    const isDaily = !isLongTerm(path);
    const near = isDaily ? lastLines(whole.text) : firstLines(whole.text);
    const lines = (await parts.mask(near)).split("\n");
    if (lines.every((line) => line.trim() === "" || /^#+ /.test(line))) return null;
    const maxChars = Math.min(limits.maxNoteChars, room);
    const kept = isDaily ? keepLines(lines.toReversed(), maxChars).reverse() : keepLines(lines, maxChars);
    const from = isDaily ? whole.text.split("\n").length - kept.length + 1 : 1;
    return { path, text: kept.join("\n"), from, lines: kept.length, totalLines: whole.totalLines };
  }
}

/** Masks only lines near the excerpt: a note may have megabytes, and a session must not wait for all of them. */
const nearChars = 64 * 1024;

function firstLines(text: string): string {
  if (text.length <= nearChars) return text;
  const end = text.lastIndexOf("\n", nearChars);
  return text.slice(0, end === -1 ? nearChars : end);
}

function lastLines(text: string): string {
  if (text.length <= nearChars) return text;
  const start = text.indexOf("\n", text.length - nearChars);
  return text.slice(start === -1 ? text.length - nearChars : start + 1);
}

/**
 * Runs while the notes are read, so that neither the agent's first search nor its start has to wait for the whole
 * sync.
 */
async function waitForIndex({
  catchUp,
  waitMs,
}: StartParts): Promise<Pick<SessionStart, "stale" | "degraded">> {
  if (catchUp === undefined) return { stale: true, degraded: [] };
  const done = catchUp().catch((error: unknown) => ({
    stale: true,
    degraded: [`the index is not up to date: ${messageOf(error)}`],
  }));
  return (await settleWithin(waitMs, done)) ?? { stale: true, degraded: [] };
}

function shorten(note: StartNote, maxChars: number): StartNote {
  const kept = keepLines(note.text.split("\n"), maxChars);
  return { ...note, text: kept.join("\n"), lines: kept.length };
}

/** As many whole lines from the beginning as fit. */
function keepLines(lines: readonly string[], maxChars: number): string[] {
  let chars = 0;
  const end = lines.findIndex((line) => {
    chars += line.length + 1;
    return chars > maxChars + 1;
  });
  return end === -1 ? [...lines] : lines.slice(0, end);
}
