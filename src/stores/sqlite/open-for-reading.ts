import type { DatabaseSync } from "node:sqlite";
import { messageOf } from "../../errors.ts";
import { hasFullText, identify } from "./connection.ts";
import { hasLog, loadSqlite, openUnchanging, type Sqlite, sqlitePath } from "./load-sqlite.ts";
import type { Prepare } from "./open-database.ts";
import { readSchemaState } from "./schema.ts";

/**
 * Opens an index in a folder that cannot be written: a backup, a disk that is full or mounted read-only, the files of
 * another user. A database in WAL mode needs two files beside it even for reading, so the file is opened as immutable.
 * That is true while there is no writer, and the session notices a writer by the `-wal` it creates or extends. Null if
 * it cannot be read this way, or is not a complete index of ours.
 */
export function openForReading<T>(
  sqlite: Sqlite,
  path: string,
  prepare: Prepare<T>,
): { db: DatabaseSync; identity: string; prepared: T } | null {
  const identity = identify(path);
  if (identity === null || hasLog(path)) return null;
  let db: DatabaseSync | undefined;
  try {
    db = openUnchanging(sqlite, path);
    const schema = { fullText: hasFullText(db) };
    if (readSchemaState(db, schema) === "ready") return { db, identity, prepared: prepare(db, schema) };
  } catch {
    // The caller reports the first failure, which is the one the user can fix.
  }
  if (db?.isOpen) db.close();
  return null;
}

/** Where SQLite cannot create the files it needs beside the database, there is no writer either. */
export function openToRead(path: string): DatabaseSync {
  const { DatabaseSync } = loadSqlite();
  const db = new DatabaseSync(sqlitePath(path), { readOnly: true, timeout: 5000 });
  try {
    db.prepare("SELECT count(*) FROM sqlite_schema").get();
    return db;
  } catch (error) {
    db.close();
    if (hasLog(path)) throw error;
    return openUnchanging(loadSqlite(), path);
  }
}

const maxNamed = 3;

/** SQLite's integrity check, including the full-text tables; changes nothing. */
export function checkIndexFile(path: string): string[] {
  try {
    const db = openToRead(path);
    try {
      const rows = db.prepare(`PRAGMA integrity_check(${maxNamed})`).all();
      return rows.map((row) => String(row["integrity_check"])).filter((found) => found !== "ok");
    } finally {
      db.close();
    }
  } catch (error) {
    return [messageOf(error)];
  }
}
