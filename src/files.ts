import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rename as renameWithCallback,
  rmSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { systemErrorCode } from "./errors.ts";
import { isFolder } from "./paths.ts";

// Every command loads this file, and loading `fs/promises` takes some milliseconds.
const rename = promisify(renameWithCallback);

/**
 * Renames a file, replacing an existing one. On Windows that fails while a virus scanner, an indexer or a reader has
 * either file open, so there it is retried for a while.
 */
export function renameFileSync(from: string, to: string): void {
  retryWhileHeld(() => renameSync(from, to));
}

/** The same without blocking the event loop, and with more retries. */
export async function renameFile(from: string, to: string): Promise<void> {
  for (const pauseMs of pauses(retryMs)) {
    try {
      return await rename(from, to);
    } catch (error) {
      if (!isHeld(error)) throw error;
      await sleep(pauseMs);
    }
  }
  await rename(from, to);
}

/** Deletes a file if it exists, even a read-only one, with the same retries. */
export function removeFileSync(file: string): void {
  try {
    retryWhileHeld(() => unlinkSync(file));
  } catch (error) {
    if (systemErrorCode(error) !== "ENOENT") throw error;
  }
}

/** The same for a folder with all its contents. */
export function removeFolderSync(folder: string): void {
  retryWhileHeld(() => rmSync(folder, { recursive: true, force: true }));
}

/** Opens a file that another program may have opened exclusively, as on Windows. */
export function openHeldSync(file: string, flags: number): number {
  return retryWhileHeld(() => openSync(file, flags), { isHeldBy: isHeldAlone });
}

/** Replaces a file atomically and durably, readable only by its owner; creates a missing folder. */
export function replaceFileSync(file: string, text: string): void {
  const folder = dirname(file);
  makeFolder(folder, 0o700);
  const draft = `${file}.${process.pid}.tmp`;
  try {
    const fd = openSync(draft, "w", 0o600);
    try {
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameFileSync(draft, file);
  } catch (error) {
    removeFileSync(draft);
    throw error;
  }
  syncFolder(folder);
}

/**
 * Creates a folder and its parents, all with the same mode; false when it exists already. Node's recursive `mkdir` is
 * not used because it loops forever where creating a folder in an existing one fails with ENOENT, as below /proc.
 */
export function makeFolder(path: string, mode = 0o777): boolean {
  if (isFolder(path)) return false;
  try {
    return makeOne(path, mode);
  } catch (error) {
    if (systemErrorCode(error) !== "ENOENT" || dirname(path) === path) throw error;
  }
  makeFolder(dirname(path), mode);
  return makeOne(path, mode);
}

/** False when it exists, also because another process was faster. */
function makeOne(path: string, mode: number): boolean {
  try {
    mkdirSync(path, { mode });
    return true;
  } catch (error) {
    if (systemErrorCode(error) === "EEXIST" && isFolder(path)) return false;
    throw error;
  }
}

/** A path for a file that exists for a moment. It is hidden and not `.md`, so it is never a note. */
export function temporaryPath(folder: string): string {
  return join(folder, `.longhand-${randomId()}.tmp`);
}

export function isTemporaryName(name: string): boolean {
  return /^\.longhand-[0-9a-f]{16}\.tmp$/.test(name);
}

export function randomId(): string {
  return crypto.randomUUID().replaceAll("-", "").slice(0, 16);
}

/** Makes new names in a folder durable. Windows cannot open folders, and does not need this. */
export function syncFolder(folder: string): void {
  if (process.platform === "win32" || !existsSync(folder)) return;
  const fd = openSync(folder, "r");
  try {
    syncOpenFolder(fd);
  } finally {
    closeSync(fd);
  }
}

/** Some network file systems cannot sync folders, because they do not buffer names. */
export function syncOpenFolder(fd: number, sync = fsyncSync): void {
  try {
    sync(fd);
  } catch (error) {
    if (!["EINVAL", "ENOTSUP", "ENOSYS"].includes(systemErrorCode(error) ?? "")) throw error;
  }
}

/** Retries a call that fails because of another program's handle; the last failure is thrown. */
export function retryWhileHeld<T>(
  call: () => T,
  { isHeldBy = isHeld, pause = pauseSync }: { isHeldBy?: typeof isHeld; pause?: (ms: number) => void } = {},
): T {
  for (const pauseMs of pauses(syncRetryMs)) {
    try {
      return call();
    } catch (error) {
      if (!isHeldBy(error)) throw error;
      pause(pauseMs);
    }
  }
  return call();
}

/** Whether a failure means that another program currently has the file open. Only Windows has such failures. */
export function isHeld(error: unknown, platform: NodeJS.Platform = process.platform): boolean {
  return platform === "win32" && ["EPERM", "EACCES", "EBUSY"].includes(systemErrorCode(error) ?? "");
}

/** Missing permissions give a different failure, so they cause no retries. */
function isHeldAlone(error: unknown): boolean {
  return isHeld(error) && systemErrorCode(error) === "EBUSY";
}

/** Scanners release a file within some tens of milliseconds. A permanent failure should not take much longer. */
const syncRetryMs = 250;
const retryMs = 2000;

/** Short ones, because successive readers leave only brief gaps between them. */
function* pauses(totalMs: number): Generator<number> {
  for (let ms = 1, spentMs = 0; spentMs < totalMs; spentMs += ms, ms = Math.min(ms * 2, 16)) yield ms;
}

function pauseSync(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
