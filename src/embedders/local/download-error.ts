import { LonghandError, messageOf, systemErrorCode } from "../../errors.ts";
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

/**
 * Whether the same attempt may well succeed a moment later. A server that was never reached is told at once: most often
 * there is no network at all.
 */
export function isPassing(error: unknown, { hasArrived }: { hasArrived: boolean }): boolean {
  if (error instanceof LonghandError) return error.retryable;
  const code = systemErrorCode(error);
  if (code !== undefined && diskCodes.has(code)) return false;
  return hasArrived || !unreachable.has(networkCode(error) ?? "");
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

const unreachable = new Set(["ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ENETUNREACH", "EHOSTUNREACH"]);

function networkReason(error: unknown): string {
  const code = networkCode(error);
  if (code !== undefined) return `the connection failed with ${code}`;
  const innermost = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return `the connection failed: ${messageOf(innermost)}`;
}

/** `fetch` hides what happened in the cause of "fetch failed". */
function networkCode(error: unknown): string | undefined {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    const { code } = inner as NodeJS.ErrnoException;
    if (typeof code === "string") return code;
  }
  return undefined;
}
