import type { OpenTranscript, TranscriptStats } from "./open-transcript.ts";

/** One conversation in a database. */
export interface StoredSession {
  /** Names the transcript: `sessions/<id>.jsonl`. */
  readonly id: string;
  /** The session key, where the program has one. */
  readonly key?: string | undefined;
  readonly stats: TranscriptStats;
  /** Others take part in it. */
  readonly isShared: boolean;
  /** Why it is left out; absent for conversations of the user. */
  readonly excluded?: string | undefined;
  sizeBytes(): number;
  /** Null when it is no longer there. */
  open(): OpenTranscript | null;
}

/** The transcripts that another program keeps in a database, which is only ever read. */
export interface TranscriptDatabase {
  readonly sessions: readonly StoredSession[];
}

/** Lists what a database holds; null when it is none of a known program, or not there. */
export type ReadTranscriptDatabase = (file: string) => TranscriptDatabase | null;

/** By its name alone, because a database must not be opened to find out what it is. */
export function mayBeTranscriptDatabase(fileName: string): boolean {
  return fileName === "openclaw-agent.sqlite" || fileName === "opencode.db";
}
