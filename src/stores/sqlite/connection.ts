import { statSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { LonghandError } from "../../errors.ts";
import { fileSystemKind } from "../../file-system-kind.ts";
import { type Sqlite, sqlitePath } from "./load-sqlite.ts";
import {
  readSchemaState,
  type SchemaOptions,
  type SchemaState,
  schemaVersion,
  writeSchema,
} from "./schema.ts";

/** SQLite's own lock timeout. Without it, most of many processes that open a new index at once fail. */
const timeoutMs = 5000;

/** A tenth smaller than with SQLite's default of 4096, because a page ends with what is too short for the next row. */
export const pageBytes = 16_384;

/** Reads and changes nothing in the file yet. */
export function connect(
  sqlite: Sqlite,
  path: string,
  { allowExtension = false }: { allowExtension?: boolean } = {},
): DatabaseSync {
  return new sqlite.DatabaseSync(sqlitePath(path), { timeout: timeoutMs, allowExtension });
}

/**
 * WAL, so that readers and the writer never wait for each other. NORMAL: a crash of the machine may lose the last
 * commits, which the next sync writes again; it cannot corrupt. Memory-mapped I/O stays off: a file truncated by
 * another program would kill the process instead of returning an error. The log shrinks to 8 MiB after a large write.
 * macOS reorders writes unless told not to.
 */
export function configure(db: DatabaseSync): void {
  db.exec(`${sharesMemory(db) ? writeAheadLog : rollbackJournal};
    PRAGMA trusted_schema = OFF;
    PRAGMA secure_delete = ON;
    PRAGMA temp_store = MEMORY;
    PRAGMA journal_size_limit = 8388608;
    PRAGMA checkpoint_fullfsync = ON;
    PRAGMA mmap_size = 0;`);
  // Node 22 has no such method; there the two pragmas above keep a crafted file harmless.
  db.enableDefensive?.(true);
}

const writeAheadLog = "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL";

/**
 * On network file systems the processes of two machines do not see each other's shared memory, without which a WAL gets
 * corrupted. There a rollback journal is used, which needs nothing but locks; a transaction stays in memory until it is
 * committed, so that readers wait only for the commit.
 */
const rollbackJournal = "PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL; PRAGMA cache_spill = OFF";

function sharesMemory(db: DatabaseSync): boolean {
  const file = db.location();
  return file === null || fileSystemKind(dirname(file)) !== "remote";
}

/**
 * Configures the connection and creates missing or outdated tables. Checks before it changes anything, so that neither
 * a foreign nor a newer database is altered, not even its journal mode.
 */
export function settleSchema(db: DatabaseSync, schema: SchemaOptions): SchemaState {
  const state = readSchemaState(db, schema);
  if (state === "newer" || state === "foreign") return state;
  if (state === "empty") db.exec(`PRAGMA page_size = ${pageBytes}`);
  configure(db);
  if (state === "ready") return state;
  db.exec("BEGIN IMMEDIATE");
  try {
    const now = readSchemaState(db, schema);
    if (now === "empty" || now === "outdated") writeSchema(db, schema);
    db.exec("COMMIT");
    return now === "empty" || now === "outdated" ? "ready" : now;
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
}

export function hasFullText(db: DatabaseSync): boolean {
  // Listing the modules for the first time takes ten times as long.
  const { isBuiltIn } = db.prepare("SELECT sqlite_compileoption_used('ENABLE_FTS5') AS isBuiltIn").get() as {
    isBuiltIn: number;
  };
  if (isBuiltIn === 1) return true;
  return db.prepare("SELECT 1 FROM pragma_module_list WHERE name = 'fts5'").get() !== undefined;
}

export function newerError(path: string): LonghandError {
  return new LonghandError(
    "index-newer",
    `Could not open the index ${path}: a newer longhand wrote it, and this one knows schema ${schemaVersion} only.`,
    { hint: "Update longhand, or set `store.path` to another file; this one can index the notes beside it." },
  );
}

/**
 * The identity of the file at the path: device and inode, or null if there is none. A connection silently keeps using a
 * deleted file, so this is compared before each use. The inode is not reused while we hold the file open. Only `stat`
 * may touch a live database: closing any other descriptor of it drops SQLite's locks.
 */
export function identify(path: string): string | null {
  const status = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (status === undefined) return null;
  if (!status.isFile()) {
    const what = status.isDirectory() ? "it is a folder" : "it is not a regular file";
    throw new LonghandError("index-foreign", `Could not open the index ${path}: ${what}.`, {
      hint: "Set `store.path` to another place. longhand leaves the existing file alone.",
    });
  }
  return `${status.dev}:${status.ino}`;
}

/**
 * The same for the database with its `-wal` and `-shm`. They live as long as a connection does; if one was deleted
 * meanwhile, other processes have created new ones, and ours must not be used any more.
 */
export function identifyAll(path: string): string {
  return ["", "-wal", "-shm"].map((suffix) => identify(path + suffix)).join(" ");
}
