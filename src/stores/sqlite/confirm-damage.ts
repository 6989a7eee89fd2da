import { LonghandError } from "../../errors.ts";
import { openToRead } from "./open-for-reading.ts";
import { searchRawBytes } from "./raw-search.ts";
import { classifyFailure, isStatementError } from "./sqlite-failure.ts";
import { whenNotBusy } from "./transaction.ts";

const busyWaitMs = 15_000;
/** One look may itself be disturbed by the disk. */
const looks = 2;

/**
 * Whether an index file is damaged beyond doubt. SQLite takes a read that failed for a moment for damage, also in its
 * own check, so the whole file has to be readable and every look has to find the damage. Throws when the disk does not
 * give the file.
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
