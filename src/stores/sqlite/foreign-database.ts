import { lstatSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { LonghandError } from "../../errors.ts";
import { hasLog, loadSqlite, openUnchanging, sqlitePath } from "./load-sqlite.ts";

/** A database of another program, open for reading while that program may write to it. */
export interface ForeignDatabase extends Disposable {
  readonly db: DatabaseSync;
  /** Throws if the program began to write in a way that this connection cannot see. */
  checkUnchanged(): void;
  /** Translates SQLite's errors, and checks afterwards. */
  ask<T>(work: () => T): T;
}

/**
 * Opens a database of another program without leaving files beside it; null if there is none. If it has a WAL, its
 * writer has created all files that a reader needs. Otherwise SQLite would create them, so the file is opened as
 * immutable, and checked for changes afterwards.
 */
export function openForeignDatabase(path: string): ForeignDatabase | null {
  const before = stampOf(path);
  if (before === null) return null;
  const isInUse = hasLog(path);
  const db = readable(path, () => {
    const opened = isInUse
      ? new (loadSqlite().DatabaseSync)(sqlitePath(path), { readOnly: true, timeout: 5000 })
      : openUnchanging(loadSqlite(), path);
    opened.exec("PRAGMA trusted_schema = OFF; PRAGMA query_only = ON;");
    return opened;
  });
  const checkUnchanged = (): void => {
    if (isInUse || (!hasLog(path) && stampOf(path) === before)) return;
    throw new LonghandError("note-unreadable", `${path} changed while it was read.`, {
      hint: "Try again.",
      retryable: true,
    });
  };
  return {
    db,
    checkUnchanged,
    ask: (work) => {
      const answer = readable(path, work);
      checkUnchanged();
      return answer;
    },
    [Symbol.dispose]: () => {
      if (db.isOpen) db.close();
    },
  };
}

/** What is made of a database, which is closed where that fails or gives nothing. */
export function openWith<Made>(path: string, make: (database: ForeignDatabase) => Made | null): Made | null {
  const database = openForeignDatabase(path);
  if (database === null) return null;
  let made: Made | null = null;
  try {
    made = make(database);
    return made;
  } finally {
    if (made === null) database[Symbol.dispose]();
  }
}

/** Translates SQLite's errors for a database of another program. */
export function readable<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof LonghandError || !isSqliteError(error)) throw error;
    throw new LonghandError("note-unreadable", `${path} cannot be read: SQLite says ${error.message}.`, {
      hint: "Try again. If it keeps failing, check the database with the program that wrote it.",
      retryable: true,
      cause: error,
    });
  }
}

/** Changes whenever the database does; null if it is not a regular file. */
export function stampOf(path: string): string | null {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (!stats?.isFile()) return null;
  const log = lstatSync(`${path}-wal`, { bigint: true, throwIfNoEntry: false });
  return `${stats.ino}:${stats.size}:${stats.mtimeNs}|${log?.ino}:${log?.size}:${log?.mtimeNs}`;
}

function isSqliteError(error: unknown): error is Error {
  return error instanceof Error && (error as { code?: unknown }).code === "ERR_SQLITE_ERROR";
}

/** The columns of a table; empty if there is no such table. */
export function columnsOf(db: DatabaseSync, table: string): ReadonlySet<string> {
  const rows = db.prepare("SELECT name FROM pragma_table_info(?)").all(table);
  return new Set(rows.map(({ name }) => String(name)));
}
