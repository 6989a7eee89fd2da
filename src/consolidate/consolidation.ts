import type { Generate } from "./propose.ts";

export interface PlanRequest {
  /** Leaves daily notes before this day alone. */
  readonly since?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ApplyRequest extends PlanRequest {
  /** Ids of steps in the current plan. */
  readonly steps: "all" | readonly string[];
}

export interface ApplyResult {
  /** For `undo`; null if nothing was changed. */
  readonly receipt: string | null;
  readonly applied: readonly Step[];
  /** Steps that were not applied, with the reason. Their notes are unchanged. */
  readonly refused: readonly { readonly id: string; readonly reason: string }[];
}

/** What was applied. It contains lines of notes, so `forget` purges it as well. */
export interface Receipt {
  readonly id: string;
  readonly at: string;
  /**
   * `interrupted`: a process was killed, and a note was changed before it could be recovered; `purged`: its text was
   * forgotten.
   */
  readonly state: "applied" | "undone" | "interrupted" | "purged";
  readonly steps: readonly Step[];
  /** SHA-256 of each note before and after; null means that there is no note. */
  readonly notes: readonly {
    readonly path: string;
    readonly before: string | null;
    readonly after: string | null;
  }[];
}

export interface UndoResult {
  readonly receipt: string;
  /** Notes restored to their former bytes. */
  readonly restored: readonly string[];
  /** Notes that the apply had created. */
  readonly removed: readonly string[];
}

/** A step as a model proposes it. Its edits are derived from it. */
export interface SubmittedStep {
  readonly kind: "merge" | "supersede" | "promote" | "anchor" | "archive";
  /** Every line it is based on, as written in its note; for a supersede, the older line first. */
  readonly sources: readonly { readonly path: string; readonly line: number; readonly text: string }[];
  /** The new line of a merge, promote or anchor: it says nothing that the sources do not say. */
  readonly text?: string;
  /** The note that a promote writes to. */
  readonly to?: string;
  readonly reason: string;
}

export interface SubmitResult {
  /** Ids of the steps that are now in the plan, waiting for review. */
  readonly accepted: readonly string[];
  readonly refused: readonly { readonly index: number; readonly reason: string }[];
}

/** Tidying notes in steps that are reviewed first and can be undone. */
export interface Consolidation {
  /** What could be done. Changes nothing. */
  plan(request?: PlanRequest): Promise<Plan>;
  /** Notes that another program changes meanwhile are left alone, and so are the other notes of the same step. */
  apply(request: ApplyRequest): Promise<ApplyResult>;
  /** Steps that must not be proposed again; returns those that were in the plan. */
  reject(ids: readonly string[]): Promise<readonly string[]>;
  /** Restores every byte of what was applied with the newest receipt, or with the given one. */
  undo(request?: { readonly receipt?: string; readonly signal?: AbortSignal }): Promise<UndoResult>;
  /** Newest first. */
  receipts(): Promise<readonly Receipt[]>;
  /** Adds steps proposed by a model to the plan, after checking each. Changes nothing. */
  submit(steps: readonly SubmittedStep[]): Promise<SubmitResult>;
  /** Lets a model propose steps, and submits them. The model gets the notes with likely secrets masked. */
  propose(generate: Generate, request?: PlanRequest): Promise<SubmitResult>;
}

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
