import { LonghandError } from "../../errors.ts";

export const installCommand = "npm install -g @tobilu/qmd";

/** Why qmd cannot be used now, in a few words that fit behind "qmd cannot answer: …". */
export function qmdFailure(reason: string, details: { hint?: string; cause?: unknown } = {}): LonghandError {
  const { hint = "The builtin engine answers meanwhile. Look closer with: longhand doctor.", cause } =
    details;
  return new LonghandError("backend-failed", reason, { hint, retryable: true, cause });
}

/** One line, without control characters: what another program printed is shown to people. */
export function shorten(message: string, maxChars = 200): string {
  const line = message
    .replaceAll(/\u001b\[[0-9;?]*[a-zA-Z]|[\u0000-\u001f\u007f]+/g, " ")
    .replaceAll(/ {2,}/g, " ")
    .trim()
    .replace(/\.$/, "");
  return line.length > maxChars ? `${line.slice(0, maxChars - 1)}…` : line;
}
