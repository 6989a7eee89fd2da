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
    const what = status.isDirectory() ? "a folder stands there" : "what stands there is not a file";
    throw new LonghandError("index-foreign", `Could not open the index ${path}: ${what}.`, {
      hint: "Set `store.path` to another place. longhand does not touch what stands there.",
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
