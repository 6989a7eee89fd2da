import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { LonghandError } from "../../errors.ts";
import type { Sqlite } from "./load-sqlite.ts";
import { hasLog, openUnchanging } from "./open-for-reading.ts";
import { applicationId, hasOurTables } from "./schema.ts";
import { classifyFailure, isStatementError } from "./sqlite-failure.ts";

/** The lock under which longhand creates an index. It stays, and so tells that the file beside it was made by longhand. */
export function creationLock(path: string): string {
  return `${path}.lock`;
}

/**
 * Why the file at the path is no index of longhand; null when it is one, or holds nothing yet. It is only looked at:
 * an ordinary connection would already write the log of another program's database back when it is closed.
 */
export function whyForeign(sqlite: Sqlite, path: string): string | null {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return null;
  // SQLite takes so small a file for an empty database and would write over it.
  if (size < smallestPage) return whyNotDamagedIndex(path);
  let db: DatabaseSync | undefined;
  try {
    db = openUnchanging(sqlite, path);
    const { application_id } = db.prepare("PRAGMA application_id").get() as { application_id: number };
    if (application_id === applicationId || hasOurTables(db)) return null;
    const isEmpty = db.prepare("SELECT 1 FROM sqlite_schema").get() === undefined;
    // The tables of a new database may all be in its log.
    const mayBeNew =
      isEmpty && application_id === 0 && (isMarked(path) || isNamedByUs(path) || !hasLog(path));
    return mayBeNew ? null : "it is a database of another program";
  } catch (error) {
    const isUnsound = classifyFailure(error) === "damaged" || isStatementError(error);
    // Whoever opens it next tells what is wrong with the disk or the permissions.
    return isUnsound ? whyNotDamagedIndex(path) : null;
  } finally {
    if (db?.isOpen) db.close();
  }
}

export function foreignError(path: string, why: string): LonghandError {
  return new LonghandError(
    "index-foreign",
    `Could not open the index ${path}: the file there is not an index of longhand; ${why}.`,
    { hint: "Set `store.path` to another place. longhand does not touch this file." },
  );
}

const smallestPage = 512;
const magic = Buffer.from("SQLite format 3\0");
const applicationIdOffset = 68;
const headBytes = 4096;

/** Not a sound database: an index of ours that is damaged, or something else altogether. */
function whyNotDamagedIndex(path: string): string | null {
  const head = readHead(path);
  const isDatabase = head.subarray(0, magic.length).equals(magic.subarray(0, head.length));
  if (isDatabase && head.length >= applicationIdOffset + 4) {
    const isOurs = head.readUInt32BE(applicationIdOffset) === applicationId;
    return isOurs || isMarked(path) || isNamedByUs(path)
      ? null
      : "it is a damaged database of another program";
  }
  if (!isMarked(path)) return "it is not a database";
  // Somebody may have put a file of theirs in the place of ours.
  return !isNamedByUs(path) && !isDatabase && isText(head) ? "it is a text file" : null;
}

/** Closing it drops the locks that this process may have on the file, which matters to no file that is not a database. */
function readHead(path: string): Buffer {
  const fd = openSync(path, "r");
  try {
    const head = Buffer.alloc(headBytes);
    return head.subarray(0, readSync(fd, head, 0, headBytes, 0));
  } finally {
    closeSync(fd);
  }
}

function isText(bytes: Buffer): boolean {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    // The last character may be cut.
    return /^[^\0-\x08\x0e-\x1a\x1c-\x1f]*$/.test(decoder.decode(bytes, { stream: true }));
  } catch {
    return false;
  }
}

/** Nobody but longhand gives databases this name. It still tells when the lock was deleted together with the index. */
function isNamedByUs(path: string): boolean {
  return path.endsWith(".longhand.sqlite");
}

function isMarked(path: string): boolean {
  return existsSync(creationLock(path));
}
