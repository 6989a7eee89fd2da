import { readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { systemErrorCode } from "../errors.ts";
import { removeFileSync } from "../files.ts";
import { monotonicMs } from "../timing.ts";
import { tryFileLock } from "./lock.ts";
import type { HeldLock, LocalWorkLock, WorkHolder } from "./work-lock.ts";

/**
 * A lock of `lock.ts` that is held for long, with a small file beside it that names the holder. Others read that file;
 * the lock itself must only ever be opened by SQLite, whose locks are dropped when the process closes any other
 * descriptor.
 */
export function createWorkLock(lockPath: string, { now = () => Date.now() } = {}): LocalWorkLock {
  const notePath = `${lockPath}.holder`;

  return {
    tryAcquire(doing) {
      const lock = tryFileLock(lockPath);
      return lock === null ? null : hold({ lock, lockPath, notePath, doing, now });
    },
    holder() {
      const noted = readNote(notePath, now());
      if (noted === null) return null;
      // The file of a killed process may still exist.
      using lock = tryFileLock(lockPath);
      return lock === null ? noted : null;
    },
  };
}

/** A process that misses several of these is not running. */
const heartbeatMs = 1000;
const betweenReportsMs = 500;

interface Held {
  readonly lock: Disposable;
  readonly lockPath: string;
  readonly notePath: string;
  readonly doing: string;
  readonly now: () => number;
}

function hold({ lock, lockPath, notePath, doing: first, now }: Held): HeldLock & Disposable {
  const since = new Date(now()).toISOString();
  const identity = identify(lockPath);
  let reportedAt = Number.NEGATIVE_INFINITY;

  /** Without the file others wait for an unnamed holder, so a full disk is no reason to stop. */
  const tell = (write: () => void): void => {
    try {
      write();
    } catch (error) {
      if (systemErrorCode(error) === undefined) throw error;
    }
  };
  const report = (doing: string): void => {
    if (monotonicMs() - reportedAt < betweenReportsMs) return;
    reportedAt = monotonicMs();
    tell(() => writeFileSync(notePath, JSON.stringify({ pid: process.pid, since, doing })));
  };
  report(first);
  const beat = setInterval(() => {
    const at = now() / 1000;
    tell(() => utimesSync(notePath, at, at));
  }, heartbeatMs).unref();

  return {
    report,
    isIntact: () => identify(lockPath) === identity,
    [Symbol.dispose]() {
      clearInterval(beat);
      // While the lock is still ours: afterwards it could be the file of the next holder.
      tell(() => removeFileSync(notePath));
      lock[Symbol.dispose]();
    },
  };
}

function identify(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.dev}:${stats.ino}`;
}

/** Null if there is none, or it is just being written. */
function readNote(path: string, atMs: number): WorkHolder | null {
  try {
    const silentMs = Math.max(0, atMs - statSync(path).mtimeMs);
    const { pid, since, doing } = JSON.parse(readFileSync(path, "utf8"));
    if (typeof pid !== "number" || typeof doing !== "string") return null;
    return { pid, doing, since: new Date(since), silentMs };
  } catch {
    return null;
  }
}
