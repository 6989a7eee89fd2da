import { closeSync, existsSync, openSync, readSync, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { LonghandError, messageOf } from "../../errors.ts";
import { removeFileSync } from "../../files.ts";
import { withFileLock } from "../lock.ts";
import type { Repair } from "../quarantined.ts";
import { connect, hasFullText, identify, newerError, settleSchema } from "./connection.ts";
import { hasLog, openUnchanging, type Sqlite } from "./load-sqlite.ts";
import { openForReading } from "./open-for-reading.ts";
import { quarantine, sidecars } from "./quarantine.ts";
import { applicationId, hasOurTables, isNewerSchema, type SchemaOptions } from "./schema.ts";
import { classifyFailure, isDiskError, isStatementError } from "./sqlite-failure.ts";
import { whenNotBusy } from "./transaction.ts";

export interface OpenDatabase<T> {
  readonly db: DatabaseSync;
  /** Why the index cannot be written; null if it can, or if that is unknown yet. */
  readonly readOnlyReason: string | null;
  /** See `identify`. */
  readonly identity: string;
  readonly prepared: T;
}

/** Prepares the statements on a new connection; damage that shows up in it is repaired like any other. */
export type Prepare<T> = (db: DatabaseSync, options: SchemaOptions) => T;

interface Unsound {
  readonly identity: string;
  readonly reason: string;
}

const busyWaitMs = 15_000;
/**
 * The first attempt creates a missing file, three meet a damaged one before it is quarantined, and other processes may
 * do the same.
 */
const attempts = 8;
/** Disk errors can be transient. */
const attemptsToWrite = 3;
/** Damage that SQLite's own check does not see is believed after this many failures, each on a new connection. */
export const failuresThatProve = 3;

/**
 * Opens the index, and creates or repairs it if necessary. Only an index of ours that is certainly damaged is
 * quarantined. A file of another program is an error and left alone. So is a file that cannot be read: rebuilding would
 * not help.
 */
export async function openDatabase<T>(
  sqlite: Sqlite,
  path: string,
  onRepair: (repair: Repair) => void,
  prepare: Prepare<T>,
): Promise<OpenDatabase<T>> {
  let suspect: { readonly identity: string; readonly failures: number } | null = null;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const result = await whenNotBusy(busyWaitMs, () => openOrReadOnly(sqlite, path, prepare));
    if (result === "missing") await createFile(path);
    if (typeof result === "string") continue;
    if ("db" in result) return result;
    const { identity } = result;
    const failures: number = suspect?.identity === identity ? suspect.failures + 1 : 1;
    suspect = { identity, failures };
    await quarantineIfProven(path, result, { failures, onRepair });
  }
  throw new LonghandError("index-busy", `Could not open the index ${path}: the file there keeps changing.`, {
    hint: "Something replaces the index file again and again. Stop it, then try again.",
    retryable: true,
  });
}

/**
 * Quarantines the file at the path, unless the damage may be a transient read error, or another process has done so
 * already.
 */
export async function quarantineIfProven(
  path: string,
  { identity, reason }: Unsound,
  { failures, onRepair }: { failures: number; onRepair: (repair: Repair) => void },
): Promise<void> {
  if (failures < 2 || identify(path) !== identity) return;
  // It starts a process; a search that finds its index sound need not load that code.
  const { isProvenDamage } = await import("./confirm-damage.ts");
  const isProven = await isProvenDamage(path);
  if (!isProven && failures < failuresThatProve) return;
  const movedTo = await whileOpening(path, () => (identify(path) === identity ? quarantine(path) : null));
  if (movedTo !== null) onRepair({ reason, movedTo });
}

/** A file that cannot be written may still be readable; the first failure says why. */
function openOrReadOnly<T>(
  sqlite: Sqlite,
  path: string,
  prepare: Prepare<T>,
): ReturnType<typeof openOnce<T>> {
  for (let attempt = 1; ; attempt++) {
    try {
      return openOnce(sqlite, path, prepare);
    } catch (error) {
      if (classifyFailure(error) !== "unusable") throw error;
      if (isDiskError(error) && attempt < attemptsToWrite) continue;
      const readOnly = openForReading(sqlite, path, prepare);
      if (readOnly === null) throw error;
      return { ...readOnly, readOnlyReason: describeRefusal(error, path) };
    }
  }
}

function openOnce<T>(
  sqlite: Sqlite,
  path: string,
  prepare: Prepare<T>,
): OpenDatabase<T> | Unsound | "missing" | "exchanged" {
  const identity = identify(path);
  if (identity === null) return "missing";
  const foreign = whyForeign(sqlite, path);
  if (foreign !== null) throw foreignError(path, foreign);
  const db = connect(sqlite, path);
  try {
    const schema = { fullText: hasFullText(db) };
    const state = settleSchema(db, schema);
    if (state === "newer") throw newerError(path);
    if (state === "ready") {
      const prepared = prepare(db, schema);
      // A connection that opened one file and then read the log of its successor would mix the two.
      if (identify(path) === identity) return { db, identity, prepared, readOnlyReason: null };
    }
    const isOurs = state === "ready" || hasOurTables(db);
    db.close();
    if (!isOurs) throw foreignError(path, "it is a database of another program");
    return state === "ready" ? "exchanged" : { identity, reason: "its application id is damaged" };
  } catch (error) {
    // A statement that does not even compile has met a schema that no version of ours has written.
    const isDamaged = classifyFailure(error) === "damaged" || (isStatementError(error) && !isNewerSchema(db));
    if (db.isOpen) db.close();
    if (!isDamaged) throw error;
    return { identity, reason: messageOf(error) };
  }
}

/** SQLite reports a full disk as an I/O error if it cannot create its files beside a database. */
function describeRefusal(error: unknown, path: string): string {
  const why = messageOf(error);
  return isDiskError(error) && isFull(dirname(path)) ? `the disk is full (${why})` : why;
}

/** SQLite needs at least one block for its shared memory. */
const minBytes = 32_768;

function isFull(folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize < minBytes;
}

/** Creates an empty file that only its owner can read; opening it makes it a database. */
function createFile(path: string): Promise<void> {
  return whileOpening(path, () => {
    if (identify(path) !== null) return;
    // Leftovers of a deleted database must not be used as the log of the new one.
    for (const suffix of sidecars) removeFileSync(path + suffix);
    closeSync(openSync(path, "wx", 0o600));
  });
}

/**
 * No other process creates or quarantines the index meanwhile. Without this, one could delete the leftovers of a lost
 * database just when another has created a new one there and its `-wal` is in use.
 */
function whileOpening<T>(path: string, work: () => T): Promise<T> {
  return withFileLock(creationLock(path), { timeoutMs: busyWaitMs }, work);
}

/** The lock under which longhand creates an index. It stays, and thereby marks the file beside it as longhand's. */
function creationLock(path: string): string {
  return `${path}.lock`;
}

/**
 * Why the file at the path is not an index of longhand; null if it is one, or is empty. Read as immutable: an ordinary
 * connection would checkpoint the log of another program's database when it is closed.
 */
function whyForeign(sqlite: Sqlite, path: string): string | null {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return null;
  // SQLite treats such a small file as an empty database and would overwrite it.
  if (size < smallestPage) return whyNotDamagedIndex(path);
  let db: DatabaseSync | undefined;
  try {
    db = openUnchanging(sqlite, path);
    const { application_id } = db.prepare("PRAGMA application_id").get() as { application_id: number };
    if (application_id === applicationId || hasOurTables(db)) return null;
    const isEmpty = db.prepare("SELECT 1 FROM sqlite_schema").get() === undefined;
    // The tables of a new database may all be in its log.
    const mayBeNew =
      isEmpty && application_id === 0 && (isMarked(path) || isNamedByUs(path) || !hasLog(path));
    return mayBeNew ? null : "it is a database of another program";
  } catch (error) {
    const isUnsound = classifyFailure(error) === "damaged" || isStatementError(error);
    // The next attempt to open it reports the problem with the disk or the permissions.
    return isUnsound ? whyNotDamagedIndex(path) : null;
  } finally {
    if (db?.isOpen) db.close();
  }
}

function foreignError(path: string, why: string): LonghandError {
  return new LonghandError(
    "index-foreign",
    `Could not open the index ${path}: the file there is not an index of longhand; ${why}.`,
    { hint: "Set `store.path` to another place. longhand does not touch this file." },
  );
}

const smallestPage = 512;
const magic = Buffer.from("SQLite format 3\0");
const applicationIdOffset = 68;
const headBytes = 4096;

/** Not a sound database: a damaged index of ours, or something else. */
function whyNotDamagedIndex(path: string): string | null {
  const head = readHead(path);
  const isDatabase = head.subarray(0, magic.length).equals(magic.subarray(0, head.length));
  if (isDatabase && head.length >= applicationIdOffset + 4) {
    const isOurs = head.readUInt32BE(applicationIdOffset) === applicationId;
    return isOurs || isMarked(path) || isNamedByUs(path)
      ? null
      : "it is a damaged database of another program";
  }
  if (isNamedByUs(path)) return null;
  if (!isMarked(path)) return "it is not a database";
  // Another program may have replaced our file.
  return !isDatabase && isText(head) ? "it is a text file" : null;
}

/** Closing it drops this process's locks on the file, which only matters for a database. */
function readHead(path: string): Buffer {
  const fd = openSync(path, "r");
  try {
    const head = Buffer.alloc(headBytes);
    return head.subarray(0, readSync(fd, head, 0, headBytes, 0));
  } finally {
    closeSync(fd);
  }
}

function isText(bytes: Buffer): boolean {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    // The last character may be cut.
    return /^[^\0-\x08\x0e-\x1a\x1c-\x1f]*$/.test(decoder.decode(bytes, { stream: true }));
  } catch {
    return false;
  }
}

/** Only longhand gives databases this name. It identifies them even if the lock was deleted together with the index. */
function isNamedByUs(path: string): boolean {
  return path.endsWith(".longhand.sqlite");
}

function isMarked(path: string): boolean {
  return existsSync(creationLock(path));
}
