import { sha256 } from "../../text/hash.ts";
import { parseJson } from "../../text/parse-json.ts";
import type { FormatName } from "./format.ts";
import type { OpenTranscript, TranscriptStats } from "./open-transcript.ts";

/**
 * How far a transcript was read. It is part of the document's version, so it changes in the same transaction as the
 * chunks and never covers lines that are not indexed.
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
  /** The end position, in bytes and in lines; in bytes and messages for a file of one value. */
  readonly offset: number;
  readonly line: number;
  /** The first line of the part that may still grow, and its rendered size. */
  readonly openLine: number;
  readonly openChars: number;
  readonly turns: number;
  readonly malformed: number;
  /** Skips the answers to a scheduled run. */
  readonly isMuted: boolean;
  /** Skips the rest of the session, which is not the user's. */
  readonly isExcluded: boolean;
  /** Of all rendered lines, chained. */
  readonly hash: string;
  /** Of the same lines: it changes only when the hash does. */
  readonly sizeBytes: number;
  /** The time of the first turn or head line; null when there is none. */
  readonly startedAt: number | null;
  readonly scope: "private" | "shared";
  /** The last messages with an id, and hashes of their text: hosts write a message again when it changes. */
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

/** Whether the transcript was only appended to: the same file, no shorter, with the same head and tail. */
export function isContinued(transcript: OpenTranscript, state: TranscriptState): boolean {
  const { dev, ino } = transcript.stats();
  if (`${dev}` !== state.device || `${ino}` !== state.inode || transcript.end() < state.offset) return false;
  return transcript.head(state.offset) === state.head && transcript.tail(state.offset) === state.tail;
}

/** `stamp` is the version that a listing sees without reading the file. */
export function formatVersion(stamp: string, state: TranscriptState): string {
  return `${stamp}|${JSON.stringify(state)}`;
}

export function parseVersion(version: string): { stamp: string; state: TranscriptState } | null {
  const bar = version.indexOf("|");
  if (bar === -1) return null;
  const state = parseJson(version.slice(bar + 1)) as TranscriptState | null | undefined;
  const isWhole =
    typeof state?.reader === "string" && [state.offset, state.sizeBytes].every(Number.isSafeInteger);
  return isWhole ? { stamp: version.slice(0, bar), state } : null;
}

interface Grown {
  readonly stats: TranscriptStats;
  readonly state: TranscriptState;
  open(): OpenTranscript | null;
}

/**
 * Whether enough bytes or lines were appended; stops reading as soon as that is known. `exchanged` when the file was
 * replaced or truncated.
 */
export function isGrownEnough(
  { stats, state, open }: Grown,
  { deltaBytes, deltaMessages }: { deltaBytes: number; deltaMessages: number },
): boolean | "exchanged" {
  const isSame = `${stats.dev}` === state.device && `${stats.ino}` === state.inode;
  using transcript = isSame ? open() : null;
  if (transcript === null || transcript.end() < state.offset) return "exchanged";
  const end = transcript.end();
  // The positions of a file are its bytes.
  if (transcript.file !== null && end - state.offset >= deltaBytes) return true;
  let [lines, bytes] = [0, 0];
  for (const line of transcript.lines(state.offset, end)) {
    lines++;
    bytes += line.bytes?.length ?? deltaBytes;
    if (lines >= deltaMessages || bytes >= deltaBytes) return true;
  }
  return false;
}

interface SessionCounts {
  readonly files: number;
  readonly turns: number;
  readonly malformedLines: number;
}

/** Counts indexed sessions by the versions of the documents. Files of unknown format do not count. */
export function countSessions(versions: ReadonlyMap<string, { readonly version: string }>): SessionCounts {
  const counts = { files: 0, turns: 0, malformedLines: 0 };
  for (const { version } of versions.values()) {
    const state = parseVersion(version)?.state;
    if (!state?.format) continue;
    counts.files++;
    counts.turns += state.turns;
    counts.malformedLines += state.malformed;
  }
  return counts;
}
