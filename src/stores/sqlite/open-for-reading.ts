import { statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { hasFullText, identify } from "./connection.ts";
import { loadSqlite, type Sqlite } from "./load-sqlite.ts";
import type { Prepare } from "./open-database.ts";
import { readSchemaState } from "./schema.ts";

/**
 * Opens an index in a folder where nothing can be written: a backup, a disk that is full or mounted read-only, the
 * files of another user. A database in WAL mode needs to create two files beside it even to be read, so SQLite is asked
 * that the file does not change. That is true while there is no writer, and a writer creates the `-wal` or lets it
 * grow, by which the session notices. Null when it cannot be read so, or is not a complete index of ours.
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
    // Whoever asked has the first failure to tell, which is the one that can be helped.
  }
  if (db?.isOpen) db.close();
  return null;
}

/** Where SQLite cannot create the files that it needs beside the database, there is no writer either. */
export function openToRead(path: string): DatabaseSync {
  const { DatabaseSync } = loadSqlite();
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  try {
    db.prepare("SELECT count(*) FROM sqlite_schema").get();
    return db;
  } catch (error) {
    db.close();
    if (hasLog(path)) throw error;
    return openUnchanging(loadSqlite(), path);
  }
}

/** Looks at nothing but the file itself: neither a log nor a lock beside it is read or made. */
export function openUnchanging(sqlite: Sqlite, path: string): DatabaseSync {
  const db = new sqlite.DatabaseSync(unchangingUrl(path), { readOnly: true });
  db.exec("PRAGMA trusted_schema = OFF; PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 0;");
  return db;
}

/** An attempt to open the database on a full disk leaves an empty log behind, which holds nothing that could be missed. */
export function hasLog(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

function unchangingUrl(path: string): URL {
  const url = pathToFileURL(path);
  url.searchParams.set("immutable", "1");
  return url;
}

const maxNamed = 3;

/** What SQLite finds wrong with the file, its full-text tables included; nothing is changed. */
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
    return [error instanceof Error ? error.message : String(error)];
  }
}
