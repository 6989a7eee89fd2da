import type { BigIntStats } from "node:fs";

/** The same for every name that leads to one file. */
export function fileIdOf({ dev, ino }: { dev: bigint; ino: bigint }): string {
  return `${dev}:${ino}`;
}

type FileStats = Pick<BigIntStats, "dev" | "ino" | "size" | "mtimeNs" | "ctimeNs">;

/** Equal versions of one path mean equal contents, unless the file was changed within its clock's grain. */
export function versionOf({ dev, ino, size, mtimeNs, ctimeNs }: FileStats): string {
  // A file that nobody renamed has one time for both, and to write out a number takes longer than to compare two.
  const modified = mtimeNs.toString();
  const changed = ctimeNs === mtimeNs ? modified : ctimeNs.toString();
  return `${dev}:${ino}:${size}:${modified}:${changed}`;
}

/**
 * The version of a file whose reading began at `readAt`. A file that changed shortly before may change again without
 * its times moving, so its version gets a mark that no listing has: the next scan reads it once more. The same holds
 * for times in the future.
 */
export function versionWhenRead(stats: FileStats, readAt: Date): string {
  const safeBeforeNs = BigInt(readAt.getTime() - coarsestClockMs) * 1_000_000n;
  const isRacy = stats.mtimeNs >= safeBeforeNs || stats.ctimeNs >= safeBeforeNs;
  return isRacy ? `${versionOf(stats)}:racy` : versionOf(stats);
}

/** FAT keeps times to two seconds; nothing in use is coarser. */
const coarsestClockMs = 2000;
