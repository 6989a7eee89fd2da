import { statSync } from "node:fs";

/** Another one whenever a file was written or replaced; null when there is none. */
export function stampOf(file: string): string | null {
  const stats = statSync(file, { throwIfNoEntry: false, bigint: true });
  return stats === undefined ? null : `${stats.ino}:${stats.size}:${stats.mtimeNs}`;
}
