import { closeSync, existsSync, openSync, statSync, utimesSync } from "node:fs";
import { basename, dirname, join, parse, resolve } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { LonghandError, messageOf, systemErrorCode, throwIfAborted } from "../errors.ts";
import { makeFolder } from "../files.ts";
import { sha256 } from "../text/hash.ts";
import { monotonicMs } from "../timing.ts";
import { loadSqlite, sqlitePath } from "./sqlite/load-sqlite.ts";

export interface FileLockOptions {
  /** How long to wait for one holder. If holders alternate, the wait is longer. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The lock of work on one thing, such as an index, for all processes of this user. */
export function lockPathOf(stateDir: string, work: string, thing: string): string {
  return join(stateDir, "locks", `${work}-${sha256(thing).slice(0, 16)}.lock`);
}

/**
 * Runs work while no other process (and no other call in this one) holds the same lock. The lock is the write lock of
 * an empty SQLite database: the kernel releases it when the holder dies, and a paused holder keeps it. Waiting does not
 * block the event loop.
 */
export async function withFileLock<T>(
  lockPath: string,
  { timeoutMs = 10_000, signal }: FileLockOptions,
  work: () => T | Promise<T>,
): Promise<T> {
  throwIfAborted(signal);
  const deadline = createDeadline(timeoutMs, monotonicMs());
  for (let waitMs = 1; ; waitMs = Math.min(waitMs * 2, 16)) {
    using lock = tryFileLock(lockPath);
    if (lock !== null) {
      stamp(lockPath);
      return await work();
    }
    if (deadline.isOver(readStamp(lockPath), monotonicMs())) throw refuseBusy(lockPath, timeoutMs);
    await sleep(waitMs);
    throwIfAborted(signal);
  }
}

/**
 * On a busy machine many wait for each other, and each gets the lock eventually: this multiplies the timeout for one
 * holder.
 */
const maxHolders = 12;

/** Distinguishes a holder that hangs or is paused from many that take the lock one after another. */
export function createDeadline(holderMs: number, startedMs: number) {
  let since = startedMs;
  let last: string | null = null;
  return {
    /** `holder` differs each time the lock is taken. */
    isOver(holder: string, nowMs: number): boolean {
      if (last !== null && holder !== last) since = nowMs;
      last = holder;
      return nowMs - since > holderMs || nowMs - startedMs > maxHolders * holderMs;
    },
  };
}

/** By path, because opening the file would drop the lock. Where this fails, others only wait less long. */
function stamp(lockPath: string): void {
  try {
    const now = Date.now() / 1000;
    utimesSync(lockPath, now, now);
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
  }
}

function readStamp(lockPath: string): string {
  const stats = statSync(lockPath, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? "" : `${stats.ino}:${stats.mtimeNs}:${stats.ctimeNs}`;
}

/** Acquires the lock until it is disposed; null if it is held. */
export function tryFileLock(lockPath: string): Disposable | null {
  for (let attempt = 1; ; attempt++) {
    const database = openLock(lockPath);
    const outcome = tryLock(database);
    // Closing ends the transaction. Nothing was ever written in it.
    if (outcome === "locked") return { [Symbol.dispose]: () => database.close() };
    database.close();
    if (outcome === "busy") return null;
    // The file may have been deleted just after it was opened; if the disk fails, it will fail again.
    if (!isDiskError(outcome.error) || attempt > maxReopenings) throw refuseFile(lockPath, outcome.error);
  }
}

function openLock(lockPath: string): DatabaseSync {
  try {
    makeFolder(dirname(lockPath), 0o700);
    makeFile(lockPath);
    return new (loadSqlite().DatabaseSync)(sqlitePath(lockPath), { timeout: 0 });
  } catch (error) {
    throw refuseFile(lockPath, error);
  }
}

/**
 * Readable only by its owner; SQLite would create it readable by everybody. Only ever a new file: closing a descriptor
 * of an existing one would drop a lock that this process may hold on it.
 */
function makeFile(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if (systemErrorCode(error) !== "EEXIST") throw error;
  }
}

function tryLock(database: DatabaseSync): "locked" | "busy" | { readonly error: unknown } {
  try {
    // Journal in memory: one on disk would be created and deleted each time, and could not be created on a full disk.
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE");
    return "locked";
  } catch (error) {
    return resultCode(error) === sqliteBusy ? "busy" : { error };
  }
}

const sqliteBusy = 5;
const sqliteDiskError = 10;
const maxReopenings = 5;

function isDiskError(error: unknown): boolean {
  return resultCode(error) === sqliteDiskError;
}

function resultCode(error: unknown): number {
  return Number((error as { errcode?: unknown } | null)?.errcode) & 0xff;
}

function refuseBusy(lockPath: string, timeoutMs: number): LonghandError {
  return new LonghandError(
    "index-busy",
    `Other processes have held the lock ${lockPath} for over ${timeoutMs} ms.`,
    {
      hint: "Try again; if it keeps failing, look for a longhand process that hangs.",
      retryable: true,
    },
  );
}

function refuseFile(lockPath: string, cause: unknown): LonghandError {
  const { why, hint } = (hasDrive(lockPath) ? reasons[systemErrorCode(cause) ?? ""] : disconnected) ?? {
    why: messageOf(cause),
    hint: "The file contains no data; it can be deleted when no longhand process is running.",
  };
  const message = `Nothing can be locked in the state folder ${dirname(lockPath)}: ${why} (${basename(lockPath)}).`;
  return new LonghandError(why === tooMany.why ? "too-many-open-files" : "index-unusable", message, {
    hint,
    retryable: [full.why, overQuota.why, tooMany.why].includes(why),
    cause,
  });
}

/** A drive or share of Windows that is not connected has no root; elsewhere there is always one. */
function hasDrive(path: string): boolean {
  return existsSync(parse(resolve(path)).root);
}

const otherFolder = "choose another state folder with --state-dir or LONGHAND_STATE_DIR.";
const disconnected = {
  why: "its drive or share is not connected",
  hint: `Connect it, or ${otherFolder}`,
};
const freeSpace = "Free some space there, or choose a state folder on another disk.";
const full = { why: "its disk is full, or has no room for more files", hint: freeSpace };
const overQuota = { why: "your quota of its disk is used up", hint: freeSpace };
const readOnly = {
  why: "its disk is read-only",
  hint: `Make it writable, or ${otherFolder}`,
};
const denied = {
  why: "permission denied",
  hint: `Give yourself the right to write to the folder, or ${otherFolder}`,
};

const tooMany = {
  why: "too many files are open",
  hint: "Raise the limit, for example with `ulimit -n 1024`, or close other programs. Your notes are not affected.",
};

const misplaced = {
  why: "a part of its path is not a folder, or a symbolic link that leads nowhere",
  hint: `Replace that part with a folder, or ${otherFolder}`,
};

const reasons: Readonly<Record<string, { readonly why: string; readonly hint: string }>> = {
  ENOSPC: full,
  EDQUOT: overQuota,
  EROFS: readOnly,
  EMFILE: tooMany,
  ENFILE: tooMany,
  EACCES: denied,
  EPERM: denied,
  ELOOP: misplaced,
  ENOTDIR: misplaced,
  ENOENT: misplaced,
  EEXIST: misplaced,
};
