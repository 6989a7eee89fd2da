import type { ErrorCode } from "../errors.ts";

export interface SyncProgress {
  readonly completed: number;
  readonly total: number;
  readonly label: string;
}

export interface SyncOptions {
  /** Index every document again, and accept that most of the known ones are gone. */
  readonly force?: boolean;
  /** Why this pass runs: "cli", "search", "add", … Kept with the last sync. */
  readonly reason?: string;
  readonly progress?: (progress: SyncProgress) => void;
  readonly signal?: AbortSignal;
}

export interface SyncReport {
  readonly added: number;
  readonly updated: number;
  readonly removed: number;
  readonly unchanged: number;
  /** A document that could not be indexed is listed here; the pass goes on. */
  readonly failed: readonly { path: string; code: ErrorCode; message: string }[];
  /** Chunks written by this pass. */
  readonly chunks: number;
  readonly embedded: number;
  readonly cached: number;
  readonly durationMs: number;
  /** Documents that vanished all at once (more than half): kept until a later pass sees the same, or `force`. */
  readonly withheld: readonly string[];
}
