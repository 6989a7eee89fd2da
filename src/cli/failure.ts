import { LonghandError, messageOf, systemErrorCode } from "../errors.ts";
import { showHidden, showOnOneLine } from "../text/visible.ts";
import type { Paint } from "./output.ts";

/** Converts anything thrown into an error with a code and a hint. */
export function asLonghandError(error: unknown): LonghandError {
  if (error instanceof LonghandError) return error;
  const reason = messageOf(error);
  // Node's module loader reports this failure without a system error code.
  if (["EMFILE", "ENFILE"].includes(systemErrorCode(error) ?? "") || /too many open files/i.test(reason)) {
    return new LonghandError("too-many-open-files", `No more files can be opened: ${reason}`, {
      hint: "Raise the limit, for example with `ulimit -n 1024`, or close other programs. Your notes are not affected.",
      retryable: true,
      cause: error,
    });
  }
  return new LonghandError("internal", `Something went wrong inside longhand: ${reason}`, {
    hint: "Run the same command with --debug and report what it prints. Your notes are not affected.",
    cause: error,
  });
}

/** 2 if the command line or the configuration has to change; 1 for every other failure. */
export function exitCodeOf(error: LonghandError): 1 | 2 {
  return error.code === "usage" || error.code === "config-invalid" ? 2 : 1;
}

export function renderFailure(
  error: LonghandError,
  { paint, debug }: { paint: Paint; debug: boolean },
): string {
  // Problems of a configuration are listed, one per line; any other message may contain a file name and has to fit on
  // one line.
  const message = error.code === "config-invalid" ? showHidden(error.message) : showOnOneLine(error.message);
  // Text for a settings file is printed so that it can be pasted.
  const hint = error.code === "host-config-unusable" ? showHidden(error.hint) : showOnOneLine(error.hint);
  const lines = [`${paint(["red", "bold"], "error:")} ${message}`, `${paint("cyan", "hint:")} ${hint}`];
  if (debug) {
    lines.push(`${paint("dim", "code:")} ${error.code}`, error.stack ?? "");
    for (let cause = error.cause; cause !== undefined; cause = (cause as Error | null)?.cause) {
      lines.push(
        `${paint("dim", "cause:")} ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`,
      );
    }
  }
  return lines.join("\n");
}
