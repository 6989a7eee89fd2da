import { statSync } from "node:fs";
import { win32 } from "node:path";
import type { DatabaseSync } from "node:sqlite";

/** Node's built-in SQLite: nothing to compile or install. */
export type Sqlite = typeof import("node:sqlite");

/**
 * Node 22 prints a warning when this module is first loaded. Only that warning is suppressed, and only while the module
 * loads: `getBuiltinModule` is synchronous, so no other code runs in between.
 */
export function loadSqlite(): Sqlite {
  const emitWarning = process.emitWarning;
  process.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
    if (String(warning).includes("SQLite is an experimental feature")) return;
    Reflect.apply(emitWarning, process, [warning, ...rest]);
  }) as typeof process.emitWarning;
  try {
    return process.getBuiltinModule("node:sqlite");
  } finally {
    process.emitWarning = emitWarning;
  }
}

/**
 * A path as SQLite takes it. On Windows it refuses 260 characters and more, which the log beside a database reaches first,
 * unless the path begins with `\\?\`; Node's own calls do that themselves.
 */
export function sqlitePath(file: string, platform: NodeJS.Platform = process.platform): string {
  const isLong = platform === "win32" && file.length + longestEnding.length >= 260;
  return isLong ? win32.toNamespacedPath(file) : file;
}

const longestEnding = "-journal";

/**
 * The address of a database that is read without its log and without locks. Not a file URL: SQLite refuses one with a host
 * name, such as that of a share on Windows.
 */
export function unchangingAddress(file: string, platform: NodeJS.Platform = process.platform): string {
  return `file:${encodeURIComponent(sqlitePath(file, platform))}?immutable=1`;
}

/** Reads only the file itself: neither a log nor a lock beside it is read or created. */
export function openUnchanging(sqlite: Sqlite, path: string): DatabaseSync {
  const db = new sqlite.DatabaseSync(unchangingAddress(path), { readOnly: true });
  db.exec("PRAGMA trusted_schema = OFF; PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 0;");
  return db;
}

/** An attempt to open the database on a full disk leaves an empty log behind, which contains nothing. */
export function hasLog(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}
