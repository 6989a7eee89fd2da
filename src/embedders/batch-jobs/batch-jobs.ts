import type { EmbeddedText, EmbedderUsage } from "../embedder.ts";

/**
 * A provider's cheaper and slower way for many texts: jobs that take minutes or hours and outlive this
 * process. The caller records pending jobs, so that no text is paid for twice.
 */
export interface BatchJobs {
  /**
   * Collects finished jobs, starts new ones while enough texts lack vectors and, if configured, waits for them. What a
   * job could not do is left to ordinary requests. Rejects with `aborted`; jobs then continue, and a later call
   * collects them.
   */
  run(work: BatchWork): Promise<BatchOutcome>;
  /** False after too many failures, for the lifetime of this object. Pending jobs are collected nevertheless. */
  isOn(): boolean;
  /** True while it only waits for the service. */
  isWaiting(): boolean;
  trouble(): BatchTrouble;
  /** Requests and tokens of jobs, at their own price. */
  usage(): EmbedderUsage;
}

export interface BatchTrouble {
  /** In a row. */
  readonly failures: number;
  /** After this many, batch mode is off. */
  readonly limit: number;
  /** The last failure, even if ordinary requests compensated for it. */
  readonly last: string | null;
}

export interface BatchWork {
  readonly ledger: JobLedger;
  /** Texts that lack vectors, in a stable order. */
  readonly missing: (limit: number, narrow: NarrowedTexts) => Promise<readonly InputText[]>;
  /** Stores results; a text that is no longer missing is skipped. */
  readonly keep: (texts: readonly KeptText[]) => Promise<void>;
  readonly onProgress: (state: { completed: number; total: number; label: string }) => void;
  readonly signal: AbortSignal | undefined;
}

export interface InputText {
  readonly hash: string;
  readonly text: string;
}

interface NarrowedTexts {
  readonly except?: ReadonlySet<string>;
  readonly only?: readonly string[];
}

export interface KeptText {
  readonly hash: string;
  readonly text: EmbeddedText;
}

export interface BatchOutcome {
  /** Hashes of texts in pending jobs: they must not be requested again. */
  readonly pending: ReadonlySet<string>;
  /** True if all other texts should wait too, because no further job may start. */
  readonly holdsRest: boolean;
}

/** The record of all pending jobs, written before and after each step. */
export interface JobLedger {
  read(): Promise<readonly JobRecord[]>;
  write(jobs: readonly JobRecord[]): Promise<void>;
}

/** The record of a job, without texts and keys. */
export interface JobRecord {
  /** Our name for the job, by which the service can find it. */
  readonly name: string;
  /** The service's id; null from before the request until its answer is recorded. */
  readonly id: string | null;
  /** Of its texts, in the order of the job. */
  readonly hashes: readonly string[];
  /** Estimated, of all its texts. */
  readonly tokens: number;
  readonly since: string;
  /** 2 for a job that repeats one that took too long. */
  readonly attempt: number;
}
