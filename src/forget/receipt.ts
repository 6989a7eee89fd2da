import type { PurgeOutcome } from "../engines/engine.ts";
import type { EditResult } from "../notes/edit-file.ts";

/** What was done and checked, without the text itself. It is returned and stored nowhere. */
export interface ForgetReceipt {
  readonly at: string;
  /** SHA-256 of each note before and after; `after` is null if the note was deleted. */
  readonly notes: readonly EditResult[];
  readonly removed: readonly {
    readonly path: string;
    readonly startLine: number;
    readonly endLine: number;
    /** Of the removed text, with lines joined by `\n`. */
    readonly sha256: string;
  }[];
  /** True if everything succeeded, and no part long enough to search for was found. */
  readonly complete: boolean;
  /**
   * How it was verified: in the raw bytes of the index or, if the store does not expose them, in its rows only;
   * `checked` then says what may remain and where.
   */
  readonly proof: "bytes" | "rows" | "none";
  /** The next process that opens the index finishes the rest. */
  readonly pending: boolean;
  /** What was checked, in words. */
  readonly checked: string;
  /** Up to 100 other lines in notes or transcripts that say the same; they were not changed. */
  readonly stillIn: readonly { readonly path: string; readonly line: number }[];
  /** Copies of the index with old text that were deleted: damaged ones, and those of a killed `verify`. */
  readonly deletedFiles: readonly string[];
  /** Indexes that this agent used before and that were purged too. */
  readonly alsoPurged: readonly string[];
  readonly problems: readonly string[];
  /** The next step if it is incomplete, or if the store keeps deleted data for a while. */
  readonly advice?: string;
}

interface ReceiptInput {
  readonly at: Date;
  readonly notes: ForgetReceipt["notes"];
  readonly removed: ForgetReceipt["removed"];
  /** Null if the index was unavailable. */
  readonly report: PurgeOutcome | null;
  /** Lines that say the same but are not indexed. */
  readonly elsewhere: ForgetReceipt["stillIn"];
  readonly isPending: boolean;
  readonly problems: readonly string[];
}

export function createReceipt({
  at,
  notes,
  removed,
  report,
  elsewhere,
  isPending,
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
    pending: isPending,
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
