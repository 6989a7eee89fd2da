import { sha256 } from "../../text/hash.ts";
import type { FormatName } from "./format.ts";
import type { OpenTranscript } from "./open-transcript.ts";

/**
 * How far a transcript is read. It is kept as part of the document's version, so it changes in the same transaction as
 * the chunks and can never tell of lines that are not indexed.
 */
export interface TranscriptState {
  /** Changes whenever the same bytes would be rendered differently. */
  readonly reader: string;
  readonly format: FormatName | null;
  readonly device: string;
  readonly inode: string;
  /** Of the first content before `offset`, and of the last. */
  readonly head: string;
  readonly tail: string;
  /** The position up to which it is read, and the lines. Where a file is one value: all bytes, and the number of messages. */
  readonly offset: number;
  readonly line: number;
  /** The first line of the part that may still grow, and how many characters it is rendered to. */
  readonly openLine: number;
  readonly openChars: number;
  readonly turns: number;
  readonly malformed: number;
  /** Answers are left out, because nobody asked. */
  readonly isMuted: boolean;
  /** All that follows is left out: it is no conversation of the user. */
  readonly isExcluded: boolean;
  /** Of all rendered lines, each on top of those before. */
  readonly hash: string;
  /** Of the same lines: it changes only when the hash does. */
  readonly sizeBytes: number;
  /** The moment of the first turn or head line; null when none was told. */
  readonly startedAt: number | null;
  readonly scope: "private" | "shared";
  /** The last messages that have an id, with a hash of their text: hosts write one again when something about it changes. */
  readonly recent?: readonly string[];
}

export function emptyState(
  reader: string,
  { device, inode, scope }: Pick<TranscriptState, "device" | "inode" | "scope">,
): TranscriptState {
  return {
    reader,
    format: null,
    device,
    inode,
    head: sha256(""),
    tail: sha256(""),
    offset: 0,
    line: 0,
    openLine: 1,
    openChars: 0,
    turns: 0,
    malformed: 0,
    isMuted: false,
    isExcluded: false,
    hash: sha256(""),
    sizeBytes: 0,
    startedAt: null,
    scope,
  };
}

/** Whether it still begins with what was read: the same transcript, no shorter, equal at its head and before the offset. */
export function isContinued(transcript: OpenTranscript, state: TranscriptState): boolean {
  const { dev, ino } = transcript.stats();
  if (`${dev}` !== state.device || `${ino}` !== state.inode || transcript.end() < state.offset) return false;
  return transcript.head(state.offset) === state.head && transcript.tail(state.offset) === state.tail;
}

/** `stamp` is what a listing sees of the file without reading it. */
export function formatVersion(stamp: string, state: TranscriptState): string {
  return `${stamp}|${JSON.stringify(state)}`;
}

export function parseVersion(version: string): { stamp: string; state: TranscriptState } | null {
  const bar = version.indexOf("|");
  if (bar === -1) return null;
  try {
    const state = JSON.parse(version.slice(bar + 1)) as TranscriptState;
    const isWhole =
      typeof state?.reader === "string" && [state.offset, state.sizeBytes].every(Number.isSafeInteger);
    return isWhole ? { stamp: version.slice(0, bar), state } : null;
  } catch {
    return null;
  }
}
