import { closeSync, openSync, rmSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { LonghandError } from "../../errors.ts";
import { withFileLock } from "../lock.ts";
import { connect, hasFullText, newerError, settleSchema } from "./connection.ts";
import { identify } from "./file-identity.ts";
import type { Sqlite } from "./load-sqlite.ts";
import { openForReading } from "./open-for-reading.ts";
import { isNewerSchema, type SchemaOptions } from "./schema.ts";
import { setAside, sidecars } from "./set-aside.ts";
import { classifyFailure, isStatementError } from "./sqlite-failure.ts";
import { whenNotBusy } from "./transaction.ts";

/** A file that had to be set aside; the index in its place starts empty. */
export interface Repair {
  readonly reason: string;
  readonly movedTo: string;
}

export interface OpenDatabase<T> {
  readonly db: DatabaseSync;
  /** Why nothing can be written; null when it can, or when that is not known yet. */
  readonly readOnlyReason: string | null;
  /** See `identify`. */
  readonly identity: string;
  readonly prepared: T;
}

/** What the caller makes of the connection at once; damage that shows up in it is repaired like any other. */
export type Prepare<T> = (db: DatabaseSync, options: SchemaOptions) => T;

interface Unsound {
  readonly identity: string;
  readonly kind: "corrupt" | "foreign";
  readonly reason: string;
}

const busyWaitMs = 15_000;
/**
 * A missing file is made in the first, a damaged one set aside in the next; other processes may do the
 * same.
 */
const attempts = 5;

/**
 * Opens the index, making or repairing it first when it must be. A file that is not a sound database of
 * ours is set aside, neither deleted nor overwritten. A file that merely cannot be reached is an error:
 * building again would not help.
 */
export async function openDatabase<T>(
  sqlite: Sqlite,
  path: string,
  onRepair: (repair: Repair) => void,
  prepare: Prepare<T>,
): Promise<OpenDatabase<T>> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const result = await whenNotBusy(busyWaitMs, () => openSomehow(sqlite, path, prepare));
    if (result === "missing") await createFile(path);
    if (typeof result === "string") continue;
    if ("db" in result) return result;
    await setAsideIfStillThere(path, result, onRepair);
  }
  throw new LonghandError("index-busy", `Could not open the index ${path}: the file there keeps changing.`, {
    hint: "Something replaces the index file again and again. Stop it, then try again.",
    retryable: true,
  });
}

/** Sets the file at the path aside, unless another process has done so already. */
export async function setAsideIfStillThere(
  path: string,
  { identity, kind, reason }: Unsound,
  onRepair: (repair: Repair) => void,
): Promise<void> {
  const movedTo = await whileOpening(path, () => (identify(path) === identity ? setAside(path, kind) : null));
  if (movedTo !== null) onRepair({ reason, movedTo });
}

/** What cannot be written may still be read; the first failure says why. */
function openSomehow<T>(sqlite: Sqlite, path: string, prepare: Prepare<T>): ReturnType<typeof openOnce<T>> {
  try {
    return openOnce(sqlite, path, prepare);
  } catch (error) {
    if (classifyFailure(error) !== "unusable") throw error;
    const readOnly = openForReading(sqlite, path, prepare);
    if (readOnly === null) throw error;
    return { ...readOnly, readOnlyReason: error instanceof Error ? error.message : String(error) };
  }
}

function openOnce<T>(
  sqlite: Sqlite,
  path: string,
  prepare: Prepare<T>,
): OpenDatabase<T> | Unsound | "missing" | "exchanged" {
  const identity = identify(path);
  if (identity === null) return "missing";
  const db = connect(sqlite, path);
  try {
    const schema = { fullText: hasFullText(db) };
    const state = settleSchema(db, schema);
    if (state === "newer") throw newerError(path);
    if (state === "ready") {
      const prepared = prepare(db, schema);
      // A connection that opened one file and then read the log of its successor would mix the two.
      if (identify(path) === identity) return { db, identity, prepared, readOnlyReason: null };
    }
    db.close();
    if (state === "ready") return "exchanged";
    return { identity, kind: "foreign", reason: "a database of another program stood in its place" };
  } catch (error) {
    // A statement that does not even compile has met a definition that no version of ours has written.
    const isDamaged = classifyFailure(error) === "damaged" || (isStatementError(error) && !isNewerSchema(db));
    if (db.isOpen) db.close();
    if (!isDamaged) throw error;
    return { identity, kind: "corrupt", reason: error instanceof Error ? error.message : String(error) };
  }
}

/** Makes an empty file that only its owner can read; opening it makes it a database. */
function createFile(path: string): Promise<void> {
  return whileOpening(path, () => {
    if (identify(path) !== null) return;
    // What is left of a deleted database must not be taken for the log of the new one.
    for (const suffix of sidecars) rmSync(path + suffix, { force: true });
    closeSync(openSync(path, "wx", 0o600));
  });
}

/**
 * No other process creates the index or sets it aside meanwhile. Without this, one could delete the
 * leftovers of a lost database just when another has made a new one there and its `-wal` is alive.
 */
function whileOpening<T>(path: string, work: () => T): Promise<T> {
  return withFileLock(`${path}.lock`, { timeoutMs: busyWaitMs }, work);
}
