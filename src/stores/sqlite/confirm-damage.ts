import { LonghandError } from "../../errors.ts";
import { openToRead } from "./open-for-reading.ts";
import { searchRawBytes } from "./raw-search.ts";
import { classifyFailure, isStatementError } from "./sqlite-failure.ts";
import { whenNotBusy } from "./transaction.ts";

const busyWaitMs = 15_000;
/** A single check may itself be disturbed by the disk. */
const looks = 2;

/**
 * Whether an index file is certainly damaged. SQLite reports a transient read error as damage, even in its own
 * integrity check, so the whole file must be readable and every check must find the damage. Throws if the disk cannot
 * read the file.
 */
export async function isProvenDamage(path: string): Promise<boolean> {
  const reading = await searchRawBytes([path, `${path}-wal`], []);
  if ("problem" in reading && reading.isUnreadable) throw unreadableError(path, reading.problem);
  for (let look = 0; look < looks; look++) {
    if (await whenNotBusy(busyWaitMs, () => isSound(path))) return false;
  }
  return true;
}

function isSound(path: string): boolean {
  try {
    const db = openToRead(path);
    try {
      return db.prepare("PRAGMA quick_check(1)").get()?.["quick_check"] === "ok";
    } finally {
      db.close();
    }
  } catch (error) {
    if (classifyFailure(error) === "damaged" || isStatementError(error)) return false;
    throw error;
  }
}

function unreadableError(path: string, why: string): LonghandError {
  return new LonghandError("index-unusable", `Could not read the index ${path} to its end: ${why}.`, {
    hint: "The disk or file system reported an error. Check it and try again; the index is left as it is.",
    retryable: true,
  });
}
