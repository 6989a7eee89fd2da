import { constants as osConstants } from "node:os";

/**
 * Every way longhand can fail, once. `docs/errors.md` is generated from this table, so a code that is not here
 * cannot be thrown and a code that is here is documented.
 */
export const errorCodes = {
  usage: "The command line does not fit: an unknown command or option, or an argument that is missing.",
  "config-invalid":
    "The configuration has an unknown key, a value of the wrong type or out of range, or broken JSON5.",
  "memory-disabled": "The configuration switches memory off.",
  "workspace-missing": "The workspace folder does not exist or is not a folder.",
  "path-outside-memory":
    "The path does not name a note of this memory. Nothing outside its roots is read or written.",
  "note-missing": "There is no note of this path.",
  "note-unreadable":
    "A note exists but could not be read: permissions, not a regular file, or it kept changing.",
  "note-too-large": "A note is over 16 MiB and is left out of the index.",
  "note-binary": "A file is named `.md` but holds binary data, and is left out of the index.",
  "note-unwritable": "A note could not be written. What was there before is untouched.",
  "entry-unconfirmed":
    "An entry was written, but another program replaced the note each time, so it may or may not be in it. Add it again: an entry that is there is not written twice.",
  "note-changed": "A note is not as the caller saw it, so it was left alone.",
  "receipt-unusable":
    "A receipt of a consolidation cannot be undone: there is none, or what it takes is not there any more.",
  "entry-invalid":
    "The text to add is empty, over 64 KiB, or has control characters or half a character in it.",
  "query-invalid": "The query is not text, or a filter of it cannot be understood.",
  "tool-input-invalid":
    "A tool was called with input that does not fit its schema: a wrong type, a missing or unknown property.",
  "request-invalid":
    "A request to the HTTP API has input that does not fit: a wrong type, a missing or unknown field.",
  "read-only": "The server was started with `--read-only`, so nothing is changed through it.",
  "index-newer": "The index was written by a newer longhand. It is left alone.",
  "index-foreign":
    "`store.path` is not an index of longhand, but a file of another program or a folder. It is left alone.",
  "index-shared": "The index file belongs to another agent, whose documents would be removed.",
  "index-unusable":
    "The index file cannot be opened or written: permissions, a full disk, or a folder in its place.",
  "index-busy": "Another process kept the index or the notes locked for too long.",
  "store-unreachable":
    "The database or storage that keeps the index cannot be reached, or cut the connection. Notes can be read and written; a later sync indexes them.",
  "store-refused":
    "The database or storage that keeps the index refused: a user, password, key, database or bucket that it does not know, or a missing right.",
  "store-busy": "Another process kept the sessions of an agent locked for too long.",
  "session-missing": "There is no session of this key, or no transcript of this id.",
  "session-foreign": "A session key names another agent than the one whose memory was asked.",
  "session-invalid": "A session key, id, entry or message cannot be kept as it is.",
  "session-unusable":
    "The file of a session cannot be read or written, or was written by a newer longhand. It is left as it was.",
  "host-config-unusable":
    "The settings file of an agent host cannot be read, understood or written. It is left alone.",
  "dependency-missing": "An optional package is needed for this and is not installed.",
  "model-unusable":
    "The files of an embedding model are missing, cut short, or not of the layout that is read.",
  "model-stopped": "The process that runs a local model crashed or did not answer in time.",
  "download-failed":
    "A model file could not be fetched: the network, the server or the disk. What has arrived is kept.",
  "vectors-invalid":
    "An embedder gave vectors that cannot be kept: a wrong count or length, not finite, or all zero.",
  "key-missing": "The chosen embedding provider needs a key, and there is none.",
  "provider-unreachable":
    "An embedding service cannot be reached, gave no answer in time, or is overloaded. A later sync goes on.",
  "provider-refused":
    "An embedding service refused: a key that is not valid, a used-up quota, an unknown model, or a text it does not take.",
  "provider-answer-invalid":
    "An embedding service answered with something else than documented: a web page, cut JSON, or far too much.",
  "backend-failed":
    "Another program that answers searches (qmd) is missing, too old, broken or slow. The builtin engine answers.",
  "not-supported": "The configuration asks for a part that this version does not have.",
  "trust-unusable":
    "The list of workspaces that the user trusts cannot be read or written. Until then, none of them counts as trusted by it.",
  "token-unusable": "The file with the token of the HTTP server cannot be made, read, or believed.",
  "address-unusable": "A server could not listen: the port is taken, or the address is not of this machine.",
  "eval-invalid": "A question set cannot be read: a file is missing or a line does not parse.",
  aborted: "The caller cancelled the call.",
  internal: "A fault in longhand itself. Please report it with `--debug` output.",
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

/** What went wrong, in the words of whatever was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** The same with the next action, where there is one. */
export function adviceOf(thrown: unknown): string {
  return thrown instanceof LonghandError ? `${thrown.message} ${thrown.hint}` : messageOf(thrown);
}

/** What the operating system calls the failure (`ENOENT`, `EACCES`, …), or undefined for anything else. */
export function systemErrorCode(error: unknown): string | undefined {
  const { code, errno } = (error ?? {}) as NodeJS.ErrnoException;
  if (typeof code === "string" && /^E[A-Z0-9]+$/.test(code)) return code;
  // Node has no name for some numbers, such as that of a used-up disk quota.
  return typeof errno === "number" ? nameOfErrno(-errno) : undefined;
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
