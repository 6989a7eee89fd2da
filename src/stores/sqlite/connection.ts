import type { DatabaseSync } from "node:sqlite";
import { LonghandError } from "../../errors.ts";
import type { Sqlite } from "./load-sqlite.ts";
import {
  readSchemaState,
  type SchemaOptions,
  type SchemaState,
  schemaVersion,
  writeSchema,
} from "./schema.ts";

/**
 * How long SQLite itself waits for a lock. Without it, most of many processes that open a new index at once
 * fail.
 */
const timeoutMs = 5000;

/** Nothing is read yet and nothing of the file is changed. */
export function connect(
  sqlite: Sqlite,
  path: string,
  { allowExtension = false }: { allowExtension?: boolean } = {},
): DatabaseSync {
  return new sqlite.DatabaseSync(path, { timeout: timeoutMs, allowExtension });
}

/**
 * WAL, so that readers and the one writer never wait for each other. NORMAL: a crash of the machine may
 * lose the last commits, which the next sync writes again; it cannot corrupt. Memory-mapped reading stays
 * off: a file cut short by someone else would end the process instead of giving an error. The log shrinks
 * to 8 MiB after a large write.
 */
export function configure(db: DatabaseSync): void {
  db.exec(`PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    PRAGMA trusted_schema = OFF;
    PRAGMA secure_delete = ON;
    PRAGMA temp_store = MEMORY;
    PRAGMA journal_size_limit = 8388608;
    PRAGMA mmap_size = 0;`);
  // Node 22 has no such method; there the two pragmas above keep a crafted file harmless.
  db.enableDefensive?.(true);
}

/**
 * Configures the connection and makes the tables where they are missing or outdated. Looks before it
 * changes anything, so that neither a foreign nor a newer database is altered, not even its mode.
 */
export function settleSchema(db: DatabaseSync, schema: SchemaOptions): SchemaState {
  const state = readSchemaState(db, schema);
  if (state === "newer" || state === "foreign") return state;
  // Two rows of a usual chunk and two blocks of FTS5 fit into a page: a tenth smaller than with SQLite's
  // own 4096.
  if (state === "empty") db.exec("PRAGMA page_size = 8192");
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
  return db.prepare("SELECT 1 FROM pragma_module_list WHERE name = 'fts5'").get() !== undefined;
}

export function newerError(path: string): LonghandError {
  return new LonghandError(
    "index-newer",
    `Could not open the index ${path}: a newer longhand wrote it, and this one knows schema ${schemaVersion} only.`,
    { hint: "Update longhand, or set `store.path` to another file; this one can index the notes beside it." },
  );
}
