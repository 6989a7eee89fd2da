import type { Plan, Step } from "./plan.ts";
import type { Generate } from "./propose.ts";

export interface PlanRequest {
  /** Leaves daily notes before this day alone. */
  readonly since?: string;
  readonly signal?: AbortSignal;
}

export interface ApplyRequest extends PlanRequest {
  /** Steps of the plan as it is now, by their ids. */
  readonly steps: "all" | readonly string[];
}

export interface ApplyResult {
  /** For `undo`; null when nothing was changed. */
  readonly receipt: string | null;
  readonly applied: readonly Step[];
  /** Steps that were left out, with the reason. Their notes are as they were. */
  readonly refused: readonly { readonly id: string; readonly reason: string }[];
}

/** What was applied. It holds lines of notes, so `forget` purges it with them. */
export interface Receipt {
  readonly id: string;
  readonly at: string;
  /**
   * `interrupted`: a process was killed on its way, and a note was changed before it could be put in order; `purged`:
   * its text was forgotten.
   */
  readonly state: "applied" | "undone" | "interrupted" | "purged";
  readonly steps: readonly Step[];
  /** SHA-256 of each note before and after; null stands for no note. */
  readonly notes: readonly {
    readonly path: string;
    readonly before: string | null;
    readonly after: string | null;
  }[];
}

export interface UndoResult {
  readonly receipt: string;
  /** Notes that are as they were before, to the last byte. */
  readonly restored: readonly string[];
  /** Notes that the apply had made. */
  readonly removed: readonly string[];
}

/** A step as a model proposes it. What it does to the notes follows from it. */
export interface SubmittedStep {
  readonly kind: "merge" | "supersede" | "promote" | "anchor" | "archive";
  /** Every line that it rests on, as it stands in its note; of a supersede the older line first. */
  readonly sources: readonly { readonly path: string; readonly line: number; readonly text: string }[];
  /** The new line of a merge, a promote or an anchor: nothing that the sources do not say. */
  readonly text?: string;
  /** The note that a promote writes to. */
  readonly to?: string;
  readonly reason: string;
}

export interface SubmitResult {
  /** Ids of steps that are part of the plan now, waiting for review. */
  readonly accepted: readonly string[];
  readonly refused: readonly { readonly index: number; readonly reason: string }[];
}

/** Tidying notes in steps that are reviewed first and can be undone. */
export interface Consolidation {
  /** What could be done. Changes nothing. */
  plan(request?: PlanRequest): Promise<Plan>;
  /** Notes that another program changes meanwhile are left alone, and so are all other notes of the same step. */
  apply(request: ApplyRequest): Promise<ApplyResult>;
  /** Steps that are not to be proposed again; gives those that were in the plan. */
  reject(ids: readonly string[]): Promise<readonly string[]>;
  /** Puts back every byte of what was applied: of the newest receipt, or of the one that is named. */
  undo(request?: { readonly receipt?: string; readonly signal?: AbortSignal }): Promise<UndoResult>;
  /** Newest first. */
  receipts(): Promise<readonly Receipt[]>;
  /** Takes steps from a model into the plan, each checked. Changes nothing. */
  submit(steps: readonly SubmittedStep[]): Promise<SubmitResult>;
  /** Has a model propose steps, and submits them. It is sent the notes, with what looks like a secret masked. */
  propose(generate: Generate, request?: PlanRequest): Promise<SubmitResult>;
}
