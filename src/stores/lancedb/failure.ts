import { LonghandError, messageOf, systemErrorCode } from "../../errors.ts";

/**
 * - `gone`: a file of the index is missing; it was deleted, or cleaned up after the query began.
 * - `damaged`: a file is not what LanceDB wrote.
 * - `busy`: repeated conflicts with writes of other processes.
 * - `unusable`: permissions, a full disk. Rebuilding would not help.
 * - `unreachable`: remote storage does not answer.
 * - `refused`: remote storage denies access, or has no such bucket.
 * - `other`: unknown.
 */
export type FailureKind = "gone" | "damaged" | "busy" | "unusable" | "unreachable" | "refused" | "other";

/** LanceDB's errors have no codes, so they are recognized by their messages. A repair examines the rest. */
const wordings: readonly [FailureKind, RegExp][] = [
  ["unusable", /permission denied|read-only file system|no space left|os error (?:13|28|30|122)\b/i],
  ["busy", /commit conflict|concurrent (?:commit|writers?)|too many retries|retryable commit|conflicting/i],
  [
    "refused",
    /forbidden|access ?denied|invalidaccesskey|signature|credential|NoSuchBucket|status(?: code)?:? 4\d\d/i,
  ],
  [
    "unreachable",
    /error sending request|connection (?:refused|reset)|timed? ?out|dispatch failure|dns error|status(?: code)?:? 5\d\d/i,
  ],
  ["damaged", /corrupt|magic number|invalid format|failed to decode|decode error|protobuf|unexpected end/i],
  ["gone", /not found|no such file|os error 2\b/i],
];

export function classifyFailure(error: unknown): FailureKind {
  if (error instanceof LonghandError) return "other";
  const message = messageOf(error);
  if (systemErrorCode(error) !== undefined) return "unusable";
  return wordings.find(([, wording]) => wording.test(message))?.[0] ?? "other";
}

/** The error for the caller. `action` completes "Could not …". */
export function explainFailure(error: unknown, action: string, location: string): Error {
  if (error instanceof LonghandError) return error;
  const message = `Could not ${action} the index ${location}: ${shorten(messageOf(error))}.`;
  switch (classifyFailure(error)) {
    case "busy":
      return new LonghandError("index-busy", message, {
        hint: "Another process is writing to this index. Try again in a moment.",
        retryable: true,
        cause: error,
      });
    case "unusable":
      return new LonghandError("index-unusable", message, {
        hint: `Check the permissions of ${location} and the free disk space, or set \`store.url\` to another place.`,
        cause: error,
      });
    case "unreachable":
      return new LonghandError("store-unreachable", message, {
        hint: "Check the network, and endpoint and region in store.url; then try again.",
        retryable: true,
        cause: error,
      });
    case "refused":
      return new LonghandError("store-refused", message, {
        hint: "Check the bucket in store.url, and AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION.",
        cause: error,
      });
    case "gone":
    case "damaged":
      return new LonghandError("index-unusable", message, {
        hint: `Delete ${location}; the index is built again by the next sync.`,
        cause: error,
      });
    default:
      return new LonghandError("internal", message, {
        hint: "Please report this with the output of the same command and `--debug`.",
        cause: error,
      });
  }
}

/** LanceDB adds locations in its own source, and repeats the sentence. */
function shorten(message: string): string {
  if (/failed to get aws credentials/i.test(message)) return "no keys were found";
  const [first = ""] = message.split(/\n|, \/[^,\s]+\.rs:\d+/, 1);
  return first.replace(/^(?:Failed to [^:]+: )?(?:GenericFailure, )?(?:lance error: )?/, "").slice(0, 300);
}
