import { dirname } from "node:path";
import { LonghandError, systemErrorCode } from "../../errors.ts";
import { fileSystemKind } from "../../file-system-kind.ts";

/**
 * - `damaged`: the file does not look like a sound database. When that is proven it is quarantined and built again.
 * - `moved`: the file was deleted or renamed under the connection. The answer is to open what is there now.
 * - `busy`: another process holds the lock; the same call may succeed later.
 * - `unusable`: permissions, a full disk, a failing device. Building again would not help and could destroy.
 * - `other`: not SQLite, or a fault of ours.
 */
export type FailureKind = "damaged" | "moved" | "busy" | "unusable" | "other";

const primary = {
  busy: 5,
  locked: 6,
  noMemory: 7,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cantOpen: 14,
};
const notADatabase = 26;
const permission = 3;
/** Extended codes. The file under a connection is no longer the one at its path. */
const readOnlyMoved = 1032;
/** A log that was to be removed is gone already: someone deletes the index while it is opened. */
const nothingToDelete = 5898;
/** A virtual table is out of step. */
const corruptVirtualTable = 267;
/**
 * A file ends before what must be in it: someone deleted or cut the `-wal` while others had it open. Unlike
 * all other I/O errors it does not pass and the disk is not at fault.
 */
const shortRead = 522;

/** By number, never by wording: messages differ between versions of SQLite. */
export function classifyFailure(error: unknown): FailureKind {
  // No number of ours is beyond 2^53; Node refuses to read one.
  if (error instanceof DamagedContent || (error as NodeJS.ErrnoException | null)?.code === "ERR_OUT_OF_RANGE")
    return "damaged";
  const code = extendedCode(error);
  if (error instanceof ExchangedFile) return "moved";
  if (code === undefined) return "other";
  if (code === readOnlyMoved || code === nothingToDelete) return "moved";
  if (code === shortRead) return "damaged";
  switch (code & 0xff) {
    case primary.corrupt:
    case notADatabase:
      return "damaged";
    case primary.busy:
    case primary.locked:
      return "busy";
    case primary.readOnly:
    case primary.ioError:
    case primary.full:
    case primary.cantOpen:
    case primary.noMemory:
    case permission:
      return "unusable";
    default:
      return "other";
  }
}

/** The disk or the file system failed, perhaps only for a moment. */
export function isDiskError(error: unknown): boolean {
  return ((extendedCode(error) ?? 0) & 0xff) === primary.ioError;
}

/** The full-text index alone is out of step; it can be built again from the chunks beside it. */
export function isFullTextDamage(error: unknown): boolean {
  return extendedCode(error) === corruptVirtualTable;
}

/** The statement itself failed: it names what is not there, or a part of SQLite refuses what it found. */
export function isStatementError(error: unknown): boolean {
  const code = extendedCode(error);
  return code !== undefined && (code & 0xff) === 1;
}

/** The file at the path is not the one that was opened there. */
export class ExchangedFile extends Error {}

/** SQLite did not call it corrupt, but no version of longhand can have written what is there. */
export class DamagedContent extends Error {}

/** The same, in what an embedder can make again. */
export class DamagedVectors extends DamagedContent {}

/** SMB, as Linux mounts it, refuses every write of SQLite as if another process held a lock. */
function hintForBusy(path: string): string {
  const busy = "Another process is writing to this index. Try again in a moment.";
  if (fileSystemKind(dirname(path)) !== "remote") return busy;
  return `${busy} It is on a network file system: if this stays, keep it on a local disk with --state-dir.`;
}

/** What the caller sees. `action` completes "Could not …". */
export function explainFailure(error: unknown, action: string, path: string): Error {
  if (error instanceof LonghandError) return error;
  const why = error instanceof Error ? error.message : String(error);
  const message = `Could not ${action} the index ${path}: ${why}.`;
  switch (classifyFailure(error)) {
    case "busy":
      return new LonghandError("index-busy", message, {
        hint: hintForBusy(path),
        retryable: true,
        cause: error,
      });
    case "moved":
      return new LonghandError("index-busy", message, {
        hint: "The index file was replaced while it was in use. Try again.",
        retryable: true,
        cause: error,
      });
    case "unusable":
      return new LonghandError("index-unusable", message, { hint: hintFor(error, path), cause: error });
    case "damaged":
      return new LonghandError("index-unusable", message, {
        hint: "Run `longhand status --fix`, which repairs the index or says why it cannot.",
        cause: error,
      });
    default:
      if (systemErrorCode(error) !== undefined) {
        return new LonghandError("index-unusable", message, {
          hint: `Check that ${path} lies in a folder you may write to, or set \`store.path\` to another place.`,
          cause: error,
        });
      }
      return new LonghandError("internal", message, {
        hint: "Please report this with the output of the same command and `--debug`.",
        cause: error,
      });
  }
}

function hintFor(error: unknown, path: string): string {
  switch ((extendedCode(error) ?? 0) & 0xff) {
    case primary.full:
      return "The disk is full. Free some space and try again; the notes are untouched.";
    case primary.readOnly:
      return `Make ${path} and its folder writable, or set \`store.path\` to a place that is.`;
    case primary.cantOpen:
    case permission:
      return `Check that ${path} is a file in a folder you may write to, or set \`store.path\` to another place.`;
    case primary.noMemory:
      return "The machine has too little free memory. Close something and try again.";
    default:
      return `The disk or file system reported an error. Check it, or set \`store.path\` to another place than ${path}.`;
  }
}

function extendedCode(error: unknown): number | undefined {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  return typeof code === "number" ? code : undefined;
}
