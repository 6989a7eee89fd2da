import { statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { hasFullText } from "./connection.ts";
import { identify } from "./file-identity.ts";
import { loadSqlite, type Sqlite } from "./load-sqlite.ts";
import type { Prepare } from "./open-database.ts";
import { readSchemaState } from "./schema.ts";

/**
 * Opens an index in a folder where nothing can be written: a backup, a disk that is full or mounted read-only, the
 * files of another user. A database in WAL mode wants to make two files beside it even to be read, so SQLite is told
 * that the file does not change. That is true while nobody has it open, and whoever opens it to write makes a `-wal`,
 * by which the session notices (see `identifyAll`). Null when it cannot be read so, or is not a complete index of ours.
 */
export function openForReading<T>(
  sqlite: Sqlite,
  path: string,
  prepare: Prepare<T>,
): { db: DatabaseSync; identity: string; prepared: T } | null {
  const identity = identify(path);
  if (identity === null || statSync(`${path}-wal`, { throwIfNoEntry: false }) !== undefined) return null;
  let db: DatabaseSync | undefined;
  try {
    db = new sqlite.DatabaseSync(unchangingUrl(path), { readOnly: true });
    db.exec("PRAGMA trusted_schema = OFF; PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 0;");
    const schema = { fullText: hasFullText(db) };
    if (readSchemaState(db, schema) === "ready") return { db, identity, prepared: prepare(db, schema) };
  } catch {
    // Whoever asked has the first failure to tell, which is the one that can be helped.
  }
  if (db?.isOpen) db.close();
  return null;
}

/** Where SQLite cannot make the files beside the database that it wants, nobody writes to it either. */
export function openToRead(path: string): DatabaseSync {
  const { DatabaseSync } = loadSqlite();
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  try {
    db.prepare("SELECT count(*) FROM sqlite_schema").get();
    return db;
  } catch (error) {
    db.close();
    if (statSync(`${path}-wal`, { throwIfNoEntry: false }) !== undefined) throw error;
    return new DatabaseSync(unchangingUrl(path), { readOnly: true });
  }
}

function unchangingUrl(path: string): URL {
  const url = pathToFileURL(path);
  url.searchParams.set("immutable", "1");
  return url;
}
