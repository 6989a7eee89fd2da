import { LonghandError, systemErrorCode } from "../../errors.ts";
import { showUrl } from "./model-place.ts";

export interface DownloadFailure {
  /** The reason in words; else it is taken from `error`. */
  readonly why?: string;
  readonly error?: unknown;
  /** Where the file was to be written, for reasons that lie there. */
  readonly file?: string;
  readonly retryable?: boolean;
  readonly hint?: string;
}

export function downloadFailed(
  url: string,
  { why, error, file, retryable, hint }: DownloadFailure,
): LonghandError {
  const code = systemErrorCode(error);
  const isDisk = code !== undefined && diskCodes.has(code);
  const reason = why ?? (isDisk ? `writing ${file} failed with ${code}` : networkReason(error));
  return new LonghandError("download-failed", `Could not fetch ${showUrl(new URL(url))}: ${reason}.`, {
    hint: hint ?? (isDisk ? diskHint : networkHint),
    retryable: retryable ?? (why === undefined && !isDisk),
    ...(error === undefined ? {} : { cause: error }),
  });
}

/** Whether the same attempt may well succeed a moment later. */
export function isPassing(error: unknown): boolean {
  if (error instanceof LonghandError) return error.retryable;
  const code = systemErrorCode(error);
  return code === undefined || !diskCodes.has(code);
}

const networkHint =
  "What has arrived is kept: run `longhand models install` again and it goes on from there. With no network, copy " +
  "the file to this machine and run `longhand models install --from FILE`.";
const diskHint =
  "Make room or correct the rights (local.modelCacheDir names another folder), then run `longhand models install` " +
  "again: what has arrived is kept and it goes on from there.";
const diskCodes = new Set([
  "ENOSPC",
  "EDQUOT",
  "EACCES",
  "EPERM",
  "EROFS",
  "EIO",
  "ENOTDIR",
  "EEXIST",
  "EISDIR",
  "EFBIG",
]);

/** `fetch` hides what happened in the cause of "fetch failed". */
function networkReason(error: unknown): string {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    const code = systemErrorCode(inner) ?? (inner as NodeJS.ErrnoException).code;
    if (typeof code === "string") return `the connection failed with ${code}`;
    if (inner.cause === undefined) return `the connection failed: ${inner.message}`;
  }
  return `the connection failed: ${String(error)}`;
}
