import type { PurgeOutcome } from "../engines/engine.ts";
import type { EditResult } from "../notes/edit-file.ts";

/** What was done and what was checked, without the text itself. It is given back and kept nowhere. */
export interface ForgetReceipt {
  readonly at: string;
  /** SHA-256 of each note before and after; `after` is null when the note is gone. */
  readonly notes: readonly EditResult[];
  readonly removed: readonly {
    readonly path: string;
    readonly startLine: number;
    readonly endLine: number;
    /** Of the text that was removed, lines joined by `\n`. */
    readonly sha256: string;
  }[];
  /** True when nothing went wrong, and nothing was found of what is long enough to be searched for. */
  readonly complete: boolean;
  /** What was checked, in words. */
  readonly checked: string;
  /** Lines elsewhere, in notes or transcripts, that say the same, at most 100; they were not touched. */
  readonly stillIn: readonly { readonly path: string; readonly line: number }[];
  /** Copies of a damaged index that held old text and were deleted. */
  readonly deletedFiles: readonly string[];
  readonly problems: readonly string[];
  /** The next step where it is not complete. */
  readonly advice?: string;
}

export interface ReceiptInput {
  readonly at: Date;
  readonly notes: ForgetReceipt["notes"];
  readonly removed: ForgetReceipt["removed"];
  /** Null when the index could not be reached. */
  readonly report: PurgeOutcome | null;
  readonly problems: readonly string[];
}

export function createReceipt({ at, notes, removed, report, problems }: ReceiptInput): ForgetReceipt {
  const isProven = report?.rawSearch === "not-found" || report?.rawSearch === "too-short";
  const complete = problems.length === 0 && isProven;
  return {
    at: at.toISOString(),
    notes,
    removed,
    complete,
    checked: describeCheck(report),
    stillIn: report?.stillIn ?? [],
    deletedFiles: report?.deletedFiles ?? [],
    problems,
    ...(complete ? {} : { advice: report === null ? forgetAgain : (report.advice ?? buildAgain) }),
  };
}

const forgetAgain =
  "Delete the index where it is a file (longhand status names it); it is built again. Elsewhere run longhand index when it can be used again.";
const buildAgain =
  "Close other programs that use this index and delete it (longhand status names the file); it is built again.";

function describeCheck(report: PurgeOutcome | null): string {
  if (report === null) return "the index could not be searched";
  switch (report.rawSearch) {
    case "not-found":
      if (report.stillIn.length > 0)
        return "raw bytes of the index searched: found only where it still stands";
      return `raw bytes of the index searched: not found${report.detail === undefined ? "" : `; ${report.detail}`}`;
    case "found":
      return `raw bytes of the index searched: found; ${report.detail}`;
    case "too-short":
      return `removed, but not searched for in the raw bytes of the index: ${report.detail}`;
    case "not-searched":
      return `raw bytes of the index not searched: ${report.detail}`;
  }
}
