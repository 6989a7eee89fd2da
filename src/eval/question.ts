import { LonghandError } from "../errors.ts";

/** A run of lines that answers a question. Lines are 1-based and both ends are inclusive. */
export interface Place {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
}

export interface Question {
  readonly id: string;
  readonly query: string;
  readonly lang: string;
  readonly category: string;
  /** Searches only this folder below the set's workspace, as one agent's memory; absent: all of it. */
  readonly scope?: string;
  /** The lines that answer it. */
  readonly gold: readonly Place[];
}

/** Questions over one folder of notes. */
export interface QuestionSet {
  readonly name: string;
  /** Absolute; the paths of gold lines start here. */
  readonly workspaceDir: string;
  readonly questions: readonly Question[];
  /** Questions that the notes do not answer. */
  readonly unanswerable: readonly Question[];
}

export function invalidSet(message: string, hint: string, cause?: unknown): LonghandError {
  return new LonghandError("eval-invalid", message, { hint, cause });
}
