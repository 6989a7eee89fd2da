import { statSync } from "node:fs";
import type {
  ReadTranscriptDatabase,
  TranscriptDatabase,
} from "../../sessions/transcripts/open-transcript.ts";
import { type ForeignDatabase, openForeignDatabase, stampOf } from "../sqlite/foreign-database.ts";
import { readOpenclawDatabase } from "./openclaw-transcripts.ts";
import { readOpencodeDatabase } from "./opencode-transcripts.ts";

/** Each lists the conversations of one program; null if the database belongs to another. */
const programs: readonly ((file: string, db: ForeignDatabase["db"]) => TranscriptDatabase | null)[] = [
  readOpenclawDatabase,
  readOpencodeDatabase,
];

/** A listing is not cached while a further change could have the same timestamp. */
const coarsestClockMs = 2000;

/** Reads databases of other programs, and caches the listings of those that have not changed. */
export function createTranscriptDatabases(now: () => Date = () => new Date()): ReadTranscriptDatabase {
  const known = new Map<string, { stamp: string; database: TranscriptDatabase | null }>();
  return (file) => {
    const stamp = stampOf(file);
    const before = known.get(file);
    if (stamp === null) return null;
    if (before?.stamp === stamp) return before.database;
    const listed = list(file);
    if (isSettled(file, now())) known.set(file, { stamp, database: listed });
    return listed;
  };
}

function list(file: string): TranscriptDatabase | null {
  using database = openForeignDatabase(file);
  if (database === null) return null;
  return database.ask(() => {
    for (const read of programs) {
      const listed = read(file, database.db);
      if (listed !== null) return listed;
    }
    return null;
  });
}

function isSettled(file: string, now: Date): boolean {
  return [file, `${file}-wal`].every((path) => {
    const changedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    return changedAt < now.getTime() - coarsestClockMs;
  });
}
