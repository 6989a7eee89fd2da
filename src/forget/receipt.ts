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
  /** True when everything was done, nothing went wrong, and nothing was found of what is long enough to be searched for. */
  readonly complete: boolean;
  /**
   * How far that is proven: by the raw bytes of the index, or, where the store does not let them be searched, by its
   * rows alone; `checked` then says what may be left and where.
   */
  readonly proof: "bytes" | "rows" | "none";
  /** What is left is finished by the next process that opens the index. */
  readonly owed: boolean;
  /** What was checked, in words. */
  readonly checked: string;
  /** Lines elsewhere, in notes or transcripts, that say the same, at most 100; they were not touched. */
  readonly stillIn: readonly { readonly path: string; readonly line: number }[];
  /** Copies of the index that held old text and were deleted: damaged ones, and those of a killed `verify`. */
  readonly deletedFiles: readonly string[];
  /** Indexes of the same agent that were used before and were purged, too. */
  readonly alsoPurged: readonly string[];
  readonly problems: readonly string[];
  /** The next step where it is not complete, or where the store itself keeps what was deleted for a while. */
  readonly advice?: string;
}

export interface ReceiptInput {
  readonly at: Date;
  readonly notes: ForgetReceipt["notes"];
  readonly removed: ForgetReceipt["removed"];
  /** Null when the index could not be reached. */
  readonly report: PurgeOutcome | null;
  /** Lines that say the same and are not in the index. */
  readonly elsewhere: ForgetReceipt["stillIn"];
  readonly isOwed: boolean;
  readonly problems: readonly string[];
}

export function createReceipt({
  at,
  notes,
  removed,
  report,
  elsewhere,
  isOwed,
  problems,
}: ReceiptInput): ForgetReceipt {
  const proof = proofOf(report);
  const complete = problems.length === 0 && proof !== "none";
  const advice = complete ? report?.advice : report === null ? forgetAgain : (report.advice ?? buildAgain);
  return {
    at: at.toISOString(),
    notes,
    removed,
    complete,
    proof,
    owed: isOwed,
    checked: describeCheck(report),
    stillIn: [...(report?.stillIn ?? []), ...elsewhere].slice(0, maxStillIn),
    deletedFiles: report?.deletedFiles ?? [],
    alsoPurged: report?.alsoPurged ?? [],
    problems,
    ...(advice === undefined ? {} : { advice }),
  };
}

const maxStillIn = 100;

function proofOf(report: PurgeOutcome | null): ForgetReceipt["proof"] {
  switch (report?.rawSearch) {
    case "not-found":
    case "too-short":
      return "bytes";
    case "not-possible":
      return "rows";
    default:
      return "none";
  }
}

const forgetAgain = "Run `longhand index` when the index can be used again; it finishes what is left.";
const buildAgain =
  "Close other programs that use this index, then run `longhand index`, which finishes what is left.";

function describeCheck(report: PurgeOutcome | null): string {
  if (report === null) return "the index could not be searched";
  switch (report.rawSearch) {
    case "not-found":
      if (report.stillIn.length > 0) return "raw bytes of the index searched: found only where it still is";
      return `raw bytes of the index searched: not found${report.detail === undefined ? "" : `; ${report.detail}`}`;
    case "found":
      return `raw bytes of the index searched: found; ${report.detail}`;
    case "too-short":
      return `removed, but not searched for in the raw bytes of the index: ${report.detail}`;
    case "not-possible":
      return `rows of the index searched: ${report.stillIn.length > 0 ? "found only where it still is" : "not found"}; its raw bytes cannot be: ${report.detail}`;
    case "not-searched":
      return `raw bytes of the index not searched: ${report.detail}`;
  }
}
