import { constants as osConstants } from "node:os";
import { nodeVersionProblem } from "./node-version.ts";

// This module is always evaluated first: on an old Node, a later one would fail with a TypeError.
if (!("groupBy" in Map))
  throw new Error(nodeVersionProblem(process.versions.node) ?? "This Node is too old.");

/**
 * The table of all error codes. `docs/errors.md` is generated from this table, so a code that is not here
 * cannot be thrown and a code that is here is documented.
 */
export const errorCodes = {
  usage: "The command line is wrong: an unknown command or option, or a missing argument.",
  "config-invalid":
    "The configuration has an unknown key, a value of the wrong type or out of range, or broken JSON5.",
  "memory-disabled": "The configuration switches memory off.",
  "workspace-missing": "The workspace folder does not exist or is not a folder.",
  "path-outside-memory":
    "The path does not name a note of this memory. Nothing outside its roots is read or written.",
  "note-missing": "There is no note at this path.",
  "note-unreadable":
    "A note exists but could not be read: permissions, not a regular file, or it kept changing.",
  "note-too-large": "A note is over 16 MiB and is not indexed.",
  "note-binary": "A file is named `.md` but contains binary data, and is not indexed.",
  "note-unwritable": "A note could not be written. Its previous content is untouched.",
  "entry-unconfirmed":
    "An entry was written, but another program kept replacing the note, another machine took over its lock, or the disk failed, so it may or may not be in it. Add it again: it is never written twice.",
  "note-changed": "A note has changed since the caller read it, so it was left alone.",
  "receipt-unusable":
    "A consolidation cannot be undone: there is no such receipt, its contents are gone, or the folder of receipts cannot be read or written.",
  "entry-invalid":
    "The text to add is empty, over 64 KiB, or contains control characters or a lone surrogate.",
  "query-invalid": "The query is not text, or one of its filters is invalid.",
  "tool-input-invalid":
    "A tool was called with input that does not match its schema: a wrong type, a missing or unknown property.",
  "request-invalid": "A request to the HTTP API has invalid input: a wrong type, a missing or unknown field.",
  "read-only": "The server was started with `--read-only`.",
  "index-newer": "The index was written by a newer longhand. It is left alone.",
  "index-foreign":
    "`store.path` is a folder or another program's file, not a longhand index. It is left alone.",
  "index-shared": "The index file belongs to another agent, whose documents would be removed.",
  "index-unusable":
    "The index file cannot be opened or written: permissions, a full disk, or a folder in its place.",
  "index-busy": "Another process kept the index or the notes locked for too long.",
  "store-unreachable":
    "The database or storage of the index cannot be reached, or closed the connection. Notes can be read and written; a later sync indexes them.",
  "store-refused":
    "The database or storage of the index refused access: an unknown user, password, key, database or bucket, or a missing permission.",
  "store-busy": "Another process kept the sessions of an agent locked for too long.",
  "session-missing": "There is no session with this key, or no transcript with this id.",
  "session-foreign": "A session key belongs to another agent than the memory.",
  "session-invalid": "A session key, id, entry or message is invalid.",
  "session-unusable":
    "A session file cannot be read or written, or was written by a newer longhand. It is left alone.",
  "host-config-unusable":
    "The settings file of an agent host cannot be read, parsed or written. It is left alone.",
  "dependency-missing": "A required optional package is not installed.",
  "model-unusable": "The files of an embedding model are missing, truncated, or in an unsupported layout.",
  "model-stopped": "The process of a local model crashed or timed out.",
  "download-failed":
    "A model file could not be downloaded: network, server or disk. The partial download is kept.",
  "vectors-invalid":
    "An embedder returned invalid vectors: a wrong count or length, not finite, or all zero.",
  "key-missing": "The embedding provider needs a key, and none is set.",
  "provider-unreachable":
    "An embedding service cannot be reached, timed out, or is overloaded. A later sync continues.",
  "provider-refused":
    "An embedding service refused: an invalid key, an exhausted quota, an unknown model, or a text it does not accept.",
  "provider-answer-invalid":
    "An embedding service returned an unexpected answer: a web page, truncated JSON, or far too much data.",
  "backend-failed": "The search backend qmd is missing, too old, broken or slow. The builtin engine answers.",
  "not-supported": "The configuration or program asks for something this version does not support.",
  "trust-unusable":
    "The list of trusted workspaces cannot be read or written. Until then, it grants no trust.",
  "token-unusable":
    "The token file of the HTTP server cannot be created or read, belongs to another user, or holds no valid token.",
  "address-unusable":
    "A server could not listen: the port is in use, or the address does not belong to this machine.",
  "eval-invalid": "A question set cannot be read: a file is missing or a line is invalid.",
  "too-many-open-files": "The process, or the machine, has reached its limit of open files.",
  aborted: "The caller cancelled the call.",
  internal: "A bug in longhand. Please report it with the output of `--debug`.",
} as const;

export type ErrorCode = keyof typeof errorCodes;

export interface ErrorDetails {
  /** The next action, as a sentence a person or an agent can follow. */
  readonly hint: string;
  /** True when the same call may succeed later without any change. */
  readonly retryable?: boolean;
  readonly cause?: unknown;
}

/** The message says what could not be done, to what, and why; the hint says what to do next. */
export class LonghandError extends Error {
  readonly code: ErrorCode;
  readonly hint: string;
  readonly retryable: boolean;

  constructor(code: ErrorCode, message: string, { hint, retryable = false, cause }: ErrorDetails) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "LonghandError";
    this.code = code;
    this.hint = hint;
    this.retryable = retryable;
  }

  toJSON(): { code: ErrorCode; message: string; hint: string; retryable: boolean } {
    return { code: this.code, message: this.message, hint: this.hint, retryable: this.retryable };
  }
}

/** The message of anything that was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** The message with its hint, if it has one. */
export function adviceOf(thrown: unknown): string {
  return thrown instanceof LonghandError ? `${thrown.message} ${thrown.hint}` : messageOf(thrown);
}

/** What the operating system calls the failure (`ENOENT`, `EACCES`, …), or undefined for anything else. */
export function systemErrorCode(error: unknown): string | undefined {
  const { code, errno, syscall, info } = (error ?? {}) as NodeJS.ErrnoException & {
    info?: { code?: string };
  };
  // The form in which `node:os` reports a failed call.
  if (code === "ERR_SYSTEM_ERROR") return info?.code;
  if (typeof code === "string" && /^E[A-Z0-9]+$/.test(code)) return code;
  // Windows has failures without a name in Node, such as that of a OneDrive file which cannot be downloaded.
  if (code === "UNKNOWN" && typeof syscall === "string") return code;
  // Node has no name for some numbers, such as that of an exceeded disk quota.
  return typeof errno === "number" ? nameOfErrno(-errno) : undefined;
}

/** The result of a system call, or of `otherwise` if the system refuses it. Any other error is a bug and is thrown. */
export function unlessRefused<T>(call: () => T, otherwise: (code: string, cause: unknown) => T): T {
  try {
    return call();
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === undefined) throw error;
    return otherwise(code, error);
  }
}

function nameOfErrno(number: number): string | undefined {
  return Object.entries(osConstants.errno).find(([, each]) => each === number)?.[0];
}

export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (!signal?.aborted) return;
  throw new LonghandError("aborted", "The call was cancelled by its caller.", {
    hint: "Call again when the result is wanted.",
    cause: signal.reason,
  });
}
