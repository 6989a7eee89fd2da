import { dirname } from "node:path";
import { LonghandError, messageOf, systemErrorCode } from "../../errors.ts";
import { fileSystemKind } from "../../file-system-kind.ts";

/**
 * - `damaged`: the file does not look like a sound database. Once proven, it is quarantined and rebuilt.
 * - `moved`: the file was deleted or renamed under the connection. The remedy is to open the current one.
 * - `busy`: another process holds the lock; the same call may succeed later.
 * - `unusable`: permissions, a full disk, a failing device. Rebuilding would not help and could destroy data.
 * - `other`: not SQLite, or a bug of ours.
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
/** Extended code: the file under a connection is no longer the one at its path. */
const readOnlyMoved = 1032;
/** A log that was to be removed is already gone: the index is deleted while it is opened. */
const nothingToDelete = 5898;
/** A virtual table is inconsistent. */
const corruptVirtualTable = 267;
/**
 * A file is shorter than expected: the `-wal` was deleted or truncated while others had it open. Unlike all other I/O
 * errors it is permanent and not the disk's fault.
 */
const shortRead = 522;

/** By number, never by message: messages differ between versions of SQLite. */
export function classifyFailure(error: unknown): FailureKind {
  // No number of ours exceeds 2^53; Node refuses to read one.
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

/** Only the full-text index is inconsistent; it can be rebuilt from the chunks beside it. */
export function isFullTextDamage(error: unknown): boolean {
  return error instanceof DamagedWords || extendedCode(error) === corruptVirtualTable;
}

/** The statement itself failed: it names something that does not exist, or a part of SQLite refused what it found. */
export function isStatementError(error: unknown): boolean {
  const code = extendedCode(error);
  return code !== undefined && (code & 0xff) === 1;
}

/** The file at the path is not the one that was opened there. */
export class ExchangedFile extends Error {}

/** SQLite did not report corruption, but no version of longhand can have written this. */
export class DamagedContent extends Error {}

/** The same, in the full-text index, which can be rebuilt from the chunks. */
export class DamagedWords extends DamagedContent {}

/** The same, in vectors, which an embedder can make again. */
export class DamagedVectors extends DamagedContent {}

/** SMB, as Linux mounts it, refuses every write of SQLite as if another process held a lock. */
function hintForBusy(path: string): string {
  const busy = "Another process is writing to this index. Try again in a moment.";
  if (fileSystemKind(dirname(path)) !== "remote") return busy;
  return `${busy} It is on a network file system: if this stays, keep it on a local disk with --state-dir.`;
}

/** The error for the caller. `action` completes "Could not …". */
export function explainFailure(error: unknown, action: string, path: string): Error {
  if (error instanceof LonghandError) return error;
  const why = messageOf(error);
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
          hint: `Check that ${path} is in a folder you may write to, or set \`store.path\` to another place.`,
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
