import type { BigIntStats } from "node:fs";

/**
 * True when a note was made or replaced a moment ago: a program may be saving it again and again, and have read it
 * before our text was in it. A save by rename gives a note a new file, so the file's age tells.
 */
export function isYoung({ birthtimeMs }: BigIntStats): boolean {
  return Math.abs(Date.now() - Number(birthtimeMs)) < youngMs;
}

/** Looks every millisecond, for as long as such a program takes from reading to renaming, whether something stays so. */
export function staysSo(isSo: () => boolean): boolean {
  for (const endsAt = performance.now() + watchMs; isSo(); ) {
    if (performance.now() >= endsAt) return true;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
  }
  return false;
}

const youngMs = 1000;
const watchMs = 50;
