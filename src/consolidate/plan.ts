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
  /** The first line of `before`; where `before` is empty, the line in front of which `after` is put. */
  readonly startLine: number;
  /** Whole lines that go. */
  readonly before: readonly string[];
  /** Whole lines that come in their place. */
  readonly after: readonly string[];
  /** The first line of the note, where it has to be made. */
  readonly title?: string;
  /** The whole note moves there, byte for byte. */
  readonly movesTo?: string;
}

/** One proposal. It is applied whole or not at all. */
export interface Step {
  /** Follows from the content, so the same proposal has the same id in the next plan. */
  readonly id: string;
  readonly kind: StepKind;
  readonly reason: string;
  readonly sources: readonly SourceLines[];
  readonly changes: readonly Change[];
  /** A model proposed it, and it was checked. */
  readonly by?: "model";
}

export interface Plan {
  readonly steps: readonly Step[];
  /** Notes that were looked at. */
  readonly notes: number;
  /** Notes that were left out, with the reason. */
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
  /** Steps that are not shown because they were rejected. */
  readonly rejected: number;
  /** How much of the long-term memory a session begins with. */
  readonly budget: { readonly path: string; readonly chars: number; readonly maxChars: number } | null;
}

/** A note as the planner sees it. */
export interface PlannedNote {
  readonly path: string;
  readonly text: string;
  /** Of a daily note. */
  readonly date: string | null;
}
