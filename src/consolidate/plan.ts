/** What a step of a plan does. */
export type StepKind = "merge" | "supersede" | "promote" | "anchor" | "trim" | "archive";

/** The source lines of a step, exactly as in the note. */
export interface SourceLines {
  readonly path: string;
  readonly startLine: number;
  /** Inclusive. */
  readonly endLine: number;
  readonly text: string;
}

/** What a step does to one note. */
export interface Change {
  readonly path: string;
  /** The first line of `before`; if `before` is empty, the line before which `after` is inserted. */
  readonly startLine: number;
  /** Whole lines to remove. */
  readonly before: readonly string[];
  /** Whole lines to insert in their place. */
  readonly after: readonly string[];
  /** The first line of the note, if it must be created. */
  readonly title?: string;
  /** The whole note moves there, byte for byte. */
  readonly movesTo?: string;
}

/** One proposal. It is applied whole or not at all. */
export interface Step {
  /** Derived from the content, so the same proposal has the same id in the next plan. */
  readonly id: string;
  readonly kind: StepKind;
  readonly reason: string;
  readonly sources: readonly SourceLines[];
  readonly changes: readonly Change[];
  /** A model proposed it, and it passed the checks. */
  readonly by?: "model";
}

export interface Plan {
  readonly steps: readonly Step[];
  /** Number of notes examined. */
  readonly notes: number;
  /** Notes that were left out, with the reason. */
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
  /** Number of steps hidden because they were rejected. */
  readonly rejected: number;
  /** How much of the long-term memory a session begins with. */
  readonly budget: { readonly path: string; readonly chars: number; readonly maxChars: number } | null;
}

/** A note as the planner sees it. */
export interface PlannedNote {
  readonly path: string;
  readonly text: string;
  /** For a daily note. */
  readonly date: string | null;
}
