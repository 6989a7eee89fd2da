import { closeSync, openSync, rmSync, statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { LonghandError } from "../../errors.ts";
import { withFileLock } from "../lock.ts";
import type { Sqlite } from "./load-sqlite.ts";
import {
  readSchemaState,
  type SchemaOptions,
  type SchemaState,
  schemaVersion,
  writeSchema,
} from "./schema.ts";
import { setAside, sidecars } from "./set-aside.ts";
import { classifyFailure, DamagedContent, isStatementError } from "./sqlite-failure.ts";
import { whenNotBusy } from "./transaction.ts";

/** A file that had to be set aside; the index in its place starts empty. */
export interface Repair {
  readonly reason: string;
  readonly movedTo: string;
}

export interface OpenDatabase<T> {
  readonly db: DatabaseSync;
  /** See `identify`. */
  readonly identity: string;
  readonly prepared: T;
}

/** What the caller makes of the connection at once; damage that shows up in it is repaired like any other. */
export type Prepare<T> = (db: DatabaseSync, options: SchemaOptions) => T;

interface Unsound {
  readonly identity: string;
  readonly kind: "corrupt" | "foreign";
  readonly reason: string;
}

const openTimeoutMs = 5000;
const busyWaitMs = 15_000;

/**
 * Opens the index, making or repairing it first when it must be. A file that is not a sound database of ours is set
 * aside, neither deleted nor overwritten. A file that merely cannot be reached is an error: building again would not
 * help.
 */
export async function openDatabase<T>(
  sqlite: Sqlite,
  path: string,
  onRepair: (repair: Repair) => void,
  prepare: Prepare<T>,
): Promise<OpenDatabase<T>> {
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const result = await whenNotBusy(busyWaitMs, () => openOnce(sqlite, path, prepare));
    if (result === "missing") await createFile(path);
    if (typeof result === "string") continue;
    if ("db" in result) return result;
    const movedTo = await setAsideIfStillThere(path, result);
    if (movedTo !== null) onRepair({ reason: result.reason, movedTo });
  }
  throw new LonghandError("index-busy", `Could not open the index ${path}: the file there keeps changing.`, {
    hint: "Something replaces the index file again and again. Stop it, then try again.",
    retryable: true,
  });
}

/** A second connection to a database that `openDatabase` has already found sound. */
export function openAnother(sqlite: Sqlite, path: string): DatabaseSync {
  return configure(new sqlite.DatabaseSync(path, { timeout: openTimeoutMs }));
}

/**
 * Which file stands at the path: device and inode, or null for none. A connection goes on using a deleted file without
 * a word, so its identity is compared before each use. An inode is not given out again while we hold the file open.
 * Only `stat` may look at a live database: closing any other descriptor of it drops SQLite's locks.
 */
export function identify(path: string): string | null {
  const status = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (status === undefined) return null;
  if (!status.isFile()) {
    throw new LonghandError("index-unusable", `Could not open the index ${path}: it is not a file.`, {
      hint: "Move away what stands there, or set `store.path` to another place.",
    });
  }
  return `${status.dev}:${status.ino}`;
}

/**
 * The same for the database with its `-wal` and `-shm`. They live as long as a connection does; if one of them was
 * deleted meanwhile, other processes have begun new ones, and ours must not be used any more.
 */
export function identifyAll(path: string): string {
  return ["", ...sidecars].map((suffix) => identify(path + suffix)).join(" ");
}

/** Sets the file at the path aside, unless another process has done so already. Returns its new name. */
export function setAsideIfStillThere(path: string, { identity, kind }: Unsound): Promise<string | null> {
  return whileOpening(path, () => (identify(path) === identity ? setAside(path, kind) : null));
}

function openOnce<T>(
  sqlite: Sqlite,
  path: string,
  prepare: Prepare<T>,
): OpenDatabase<T> | Unsound | "missing" | "exchanged" {
  const identity = identify(path);
  if (identity === null) return "missing";
  const db = new sqlite.DatabaseSync(path, { timeout: openTimeoutMs });
  try {
    const schema = { fullText: hasFullText(db) };
    const state = settleSchema(db, schema);
    if (state === "newer") throw newerError(path);
    if (state === "ready") {
      const prepared = prepareSound(() => prepare(db, schema));
      // A connection that opened one file and then read the log of its successor would mix the two.
      if (identify(path) === identity) return { db, identity, prepared };
    }
    db.close();
    if (state === "ready") return "exchanged";
    return { identity, kind: "foreign", reason: "a database of another program stood in its place" };
  } catch (error) {
    if (db.isOpen) db.close();
    if (classifyFailure(error) !== "damaged") throw error;
    return { identity, kind: "corrupt", reason: error instanceof Error ? error.message : String(error) };
  }
}

/** The tables are as we made them, so a statement that does not even compile has met damage inside of FTS5. */
function prepareSound<T>(prepare: () => T): T {
  try {
    return prepare();
  } catch (error) {
    throw isStatementError(error) ? new DamagedContent((error as Error).message, { cause: error }) : error;
  }
}

/** Makes an empty file that only its owner can read; opening it makes it a database. */
function createFile(path: string): Promise<void> {
  return whileOpening(path, () => {
    if (identify(path) !== null) return;
    // What is left of a deleted database must not be taken for the log of the new one.
    for (const suffix of sidecars) rmSync(path + suffix, { force: true });
    closeSync(openSync(path, "wx", 0o600));
  });
}

/**
 * No other process creates the index or sets it aside meanwhile. Without this, one could delete the leftovers of a lost
 * database just when another has made a new one there and its `-wal` is alive.
 */
function whileOpening<T>(path: string, work: () => T): Promise<T> {
  return withFileLock(`${path}.lock`, { timeoutMs: busyWaitMs }, work);
}

/** Looks before it changes anything, so that neither a foreign nor a newer database is altered, not even its mode. */
function settleSchema(db: DatabaseSync, schema: SchemaOptions): SchemaState {
  const state = readSchemaState(db, schema);
  if (state === "newer" || state === "foreign") return state;
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

/**
 * WAL, so that readers and the one writer never wait for each other. NORMAL: a crash of the machine may lose the last
 * commits, which the next sync writes again; it cannot corrupt. Memory-mapped reading stays off: a file cut short by
 * someone else would end the process instead of giving an error.
 */
function configure(db: DatabaseSync): DatabaseSync {
  db.exec(`PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    PRAGMA trusted_schema = OFF;
    PRAGMA secure_delete = ON;
    PRAGMA temp_store = MEMORY;
    PRAGMA mmap_size = 0;`);
  // Node 22 has no such method; there the two pragmas above keep a crafted file harmless.
  db.enableDefensive?.(true);
  return db;
}

function hasFullText(db: DatabaseSync): boolean {
  return db.prepare("SELECT 1 FROM pragma_module_list WHERE name = 'fts5'").get() !== undefined;
}

export function newerError(path: string): LonghandError {
  return new LonghandError(
    "index-newer",
    `Could not open the index ${path}: a newer longhand wrote it, and this one knows schema ${schemaVersion} only.`,
    { hint: "Update longhand, or set `store.path` to another file; this one can index the notes beside it." },
  );
}
