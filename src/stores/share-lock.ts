import {
  closeSync,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { LonghandError, systemErrorCode, throwIfAborted } from "../errors.ts";
import { randomId, removeFileSync, temporaryPath } from "../files.ts";
import { monotonicMs } from "../timing.ts";
import { createDeadline, type FileLockOptions } from "./lock.ts";

export interface ShareLockOptions extends FileLockOptions {
  /** The caller's local lock, held already: if the lock on the share is also from under it, its holder died. */
  readonly under?: string | undefined;
  /** For tests, which intervene between two file system calls. */
  readonly at?: (step: "expired") => void;
}

/** The lock of a folder that other machines write to as well. */
export interface ShareLock {
  /** Throws when another machine took the lock away, so that nothing may be written any more. */
  confirm(): void;
}

/**
 * Runs some work while no process of any machine holds the lock of a folder on a network share. The locks of `lock.ts`
 * are those of one machine's kernel. This one is a file, which a file server creates for one client only. Each attempt
 * opens it, because a client trusts its cache of names and attributes for seconds but asks the server when it opens.
 *
 * The work opens the notes after the lock is taken and closes them before it is given back: between machines, a file
 * is only current if it is opened after the other one has closed it.
 */
export async function withShareLock<T>(
  folder: string,
  { timeoutMs = 10_000, signal, under, at = () => {} }: ShareLockOptions,
  work: (lock: ShareLock) => T,
): Promise<T> {
  const path = join(folder, lockName);
  const own = JSON.stringify({ id: randomId(), host: hostname(), pid: process.pid, under: identify(under) });
  const deadline = createDeadline(timeoutMs, monotonicMs());
  let removed: string | null = null;
  for (let waitMs = 2; ; waitMs = Math.min(waitMs * 2, maxWaitMs)) {
    throwIfAborted(signal);
    const refusal = tryAcquire(path, own);
    if (refusal === null) break;
    const holder = readHolder(path) ?? "";
    const isOver = deadline.isOver(holder, monotonicMs());
    const isLate = isOver || waitMs === maxWaitMs;
    if (holder !== removed && (isLeftBehind(holder, own) || (isLate && isExpired(folder, path)))) {
      // Once: if it cannot be removed, the deadline ends the attempts.
      removed = holder;
      at("expired");
      removeLock(folder, path, holder);
    } else if (isOver) throw refuseBusy(path, { holder, refusal, timeoutMs });
    // Two machines that try at the same pace would meet each time.
    await sleep(waitMs * (0.5 + Math.random()));
  }
  try {
    const result = work({
      confirm() {
        if (readHolder(path) !== own) throw refuseLost(path);
      },
    });
    if (!release(path, own)) throw refuseUnconfirmed(path);
    return result;
  } catch (error) {
    release(path, own);
    throw error;
  }
}

/** Hidden and not `.md`, so it is never a note. */
const lockName = ".longhand.lock";
const maxWaitMs = 64;

/**
 * Far longer than any work takes. A machine that lost its connection while it wrote may still send that text when it is
 * back, over what others wrote meanwhile; so its lock is respected until it is more likely that the machine is gone.
 */
const expiryMs = 5 * 60_000;

/** Null where this start of the machine has no name: everywhere but on Linux. */
function identify(under: string | undefined): string | null {
  if (under === undefined || process.platform !== "linux") return null;
  try {
    const { dev, ino } = statSync(under, { bigint: true });
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()} ${dev}:${ino}`;
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return null;
  }
}

/** Null when the lock is ours now, else why not. */
function tryAcquire(path: string, own: string): Error | null {
  let fd: number;
  try {
    fd = openSync(path, "wx");
  } catch (error) {
    if (error instanceof Error && heldCodes.includes(systemErrorCode(error) ?? "")) return error;
    throw refuseFile(path, error);
  }
  try {
    writeSync(fd, own);
    return null;
  } catch (error) {
    removeFileSync(path);
    throw refuseFile(path, error);
  } finally {
    closeSync(fd);
  }
}

/** Windows denies access to a file that was just deleted while another program still has it open. */
const heldCodes = process.platform === "win32" ? ["EEXIST", "EPERM", "EACCES", "EBUSY"] : ["EEXIST"];

/** False when the lock is no longer ours. */
function release(path: string, own: string): boolean {
  if (readHolder(path) !== own) return false;
  removeFileSync(path);
  return true;
}

/** Null when there is no lock any more; empty for one that cannot be read or is not written yet. */
function readHolder(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === undefined) throw error;
    return code === "ENOENT" || code === "ESTALE" ? null : "";
  }
}

interface Holder {
  readonly host?: unknown;
  readonly pid?: unknown;
  readonly under?: unknown;
}

function parseHolder(text: string): Holder {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null ? parsed : {};
  } catch {
    return {};
  }
}

function isLeftBehind(holder: string, own: string): boolean {
  const { under } = parseHolder(holder);
  return typeof under === "string" && under === parseHolder(own).under;
}

/** By the clock of the server alone: the age of the lock is compared with that of a new file. */
function isExpired(folder: string, path: string): boolean {
  const probe = temporaryPath(folder);
  try {
    const [made, lock] = [touch(probe), openSync(path, "r")];
    try {
      return made - fstatSync(lock).mtimeMs > expiryMs;
    } finally {
      closeSync(lock);
    }
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return false;
  } finally {
    removeFileSync(probe);
  }
}

function touch(path: string): number {
  const fd = openSync(path, "wx");
  try {
    writeSync(fd, "?");
  } finally {
    closeSync(fd);
  }
  return statSync(path).mtimeMs;
}

/**
 * Removes the lock of a holder that is gone. By a rename, which only one of several waiting processes can do; if one of
 * them already took the lock in between, it gets it back.
 */
function removeLock(folder: string, path: string, holder: string): void {
  const taken = temporaryPath(folder);
  try {
    renameSync(path, taken);
    const there = readFileSync(taken, "utf8");
    if (there !== holder) writeFileSync(path, there, { flag: "wx" });
  } catch (error) {
    // Gone, or acquired by another process: the next attempt finds out, and so does confirming the lock.
    if (systemErrorCode(error) === undefined) throw error;
  }
  removeFileSync(taken);
}

function refuseBusy(
  path: string,
  { holder, refusal, timeoutMs }: { holder: string; refusal: Error; timeoutMs: number },
): LonghandError {
  if (systemErrorCode(refusal) !== "EEXIST") return refuseFile(path, refusal);
  const { host, pid } = parseHolder(holder);
  const who = typeof host === "string" ? `Process ${pid} on ${host} has` : "Another machine has";
  return new LonghandError("index-busy", `${who} held the lock ${path} for over ${timeoutMs} ms.`, {
    hint: `Try again. The lock of a machine that crashed expires after ${expiryMs / 60_000} minutes; if you are sure that nothing writes there, delete the file.`,
    retryable: true,
  });
}

function refuseFile(path: string, cause: unknown): LonghandError {
  return new LonghandError(
    "note-unwritable",
    `The notes cannot be locked: the system says ${systemErrorCode(cause)} (${path}).`,
    {
      hint: "On a network share a lock file keeps machines from overwriting each other. Give yourself the right to create files in that folder.",
      retryable: ["ENOSPC", "EDQUOT"].includes(systemErrorCode(cause) ?? ""),
      cause,
    },
  );
}

function refuseLost(path: string): LonghandError {
  return new LonghandError("note-unwritable", `Nothing was written: another machine took over ${path}.`, {
    hint: "This process was paused for minutes. Try again.",
    retryable: true,
  });
}

function refuseUnconfirmed(path: string): LonghandError {
  return new LonghandError(
    "entry-unconfirmed",
    `It is not certain that the notes were changed: another machine took over ${path} meanwhile.`,
    {
      hint: "Look at the note, or repeat the change; an entry that is there is not written twice.",
      retryable: true,
    },
  );
}
