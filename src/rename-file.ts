import { renameSync, rename as renameWithCallback } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { systemErrorCode } from "./errors.ts";

// Every command loads this file, and `fs/promises` takes Node some milliseconds.
const rename = promisify(renameWithCallback);

/**
 * Renames a file, over the one that has the name. On Windows a virus scanner, an indexer or a reader that holds either
 * file open for a moment makes that fail, so there it is tried again for a while.
 */
export function renameFileSync(from: string, to: string): void {
  retryWhileHeld(() => renameSync(from, to));
}

/** The same without holding up the event loop, and with more patience. */
export async function renameFile(from: string, to: string): Promise<void> {
  for (const pauseMs of pauses(patienceMs)) {
    try {
      return await rename(from, to);
    } catch (error) {
      if (!isHeld(error)) throw error;
      await sleep(pauseMs);
    }
  }
  await rename(from, to);
}

/** Repeats a call that another program's handle makes fail; the last failure is thrown. */
export function retryWhileHeld<T>(
  call: () => T,
  { isHeldBy = isHeld, pause = pauseSync }: { isHeldBy?: typeof isHeld; pause?: (ms: number) => void } = {},
): T {
  for (const pauseMs of pauses(syncPatienceMs)) {
    try {
      return call();
    } catch (error) {
      if (!isHeldBy(error)) throw error;
      pause(pauseMs);
    }
  }
  return call();
}

/** Whether a failure means that somebody has the file open just now. Only Windows has such failures. */
export function isHeld(error: unknown, platform: NodeJS.Platform = process.platform): boolean {
  return platform === "win32" && ["EPERM", "EACCES", "EBUSY"].includes(systemErrorCode(error) ?? "");
}

/** Scanners let go within some tens of milliseconds. What is denied for good is not waited for much longer. */
const syncPatienceMs = 250;
const patienceMs = 2000;

/** Short ones, because readers that come one after the other leave only moments in between. */
function* pauses(totalMs: number): Generator<number> {
  for (let ms = 1, spentMs = 0; spentMs < totalMs; spentMs += ms, ms = Math.min(ms * 2, 16)) yield ms;
}

function pauseSync(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
