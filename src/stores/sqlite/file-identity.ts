import { statSync } from "node:fs";
import { LonghandError } from "../../errors.ts";

/**
 * Which file stands at the path: device and inode, or null for none. A connection goes on using a deleted
 * file without a word, so this is compared before each use. An inode is not given out again while we hold
 * the file open. Only `stat` may look at a live database: closing any other descriptor of it drops SQLite's
 * locks.
 */
export function identify(path: string): string | null {
  const status = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (status === undefined) return null;
  if (!status.isFile()) {
    throw new LonghandError("index-unusable", `Could not open the index ${path}: it is not a file.`, {
      hint: "Move away what stands there, or set `store.path` to another place.",
    });
  }
  return `${status.dev}:${status.ino}`;
}

/**
 * The same for the database with its `-wal` and `-shm`. They live as long as a connection does; if one of
 * them was deleted meanwhile, other processes have begun new ones, and ours must not be used any more.
 */
export function identifyAll(path: string): string {
  return ["", "-wal", "-shm"].map((suffix) => identify(path + suffix)).join(" ");
}
