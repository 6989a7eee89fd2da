import { readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** Files beside a database that are part of it; the last one only while it is not in WAL mode. */
export const sidecars = ["-wal", "-shm", "-journal"] as const;

/** How many damaged files are kept for whoever wants to look. */
const keptDamaged = 2;

/**
 * Renames a database that cannot be used, with its sidecars, to `<name>.corrupt-<n>` (or `.foreign-<n>` for
 * a sound database of another program, which is never pruned) and returns the new name. The database goes
 * first: if the process dies in between, what is left are sidecars without a database, which the next
 * opening deletes.
 */
export function setAside(path: string, kind: "corrupt" | "foreign"): string {
  const folder = dirname(path);
  const prefix = `${basename(path)}.${kind}-`;
  const numbers = readdirSync(folder)
    .filter((name) => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)))
    .map((name) => Number(name.slice(prefix.length)))
    .sort((a, b) => a - b);
  const target = join(folder, `${prefix}${(numbers.at(-1) ?? 0) + 1}`);
  renameSync(path, target);
  for (const suffix of sidecars) moveIfPresent(path + suffix, target + suffix);
  if (kind === "foreign") return target;
  for (const number of numbers.slice(0, Math.max(0, numbers.length + 1 - keptDamaged))) {
    for (const suffix of ["", ...sidecars])
      rmSync(join(folder, `${prefix}${number}${suffix}`), { force: true });
  }
  return target;
}

function moveIfPresent(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}
