import type { EmbeddedText, EmbedderUsage } from "../embedder.ts";

/**
 * A provider's cheaper and slower way for many texts: jobs that the service works on for minutes or hours and that
 * outlive this process. The caller records what is under way, so that no text is paid for twice.
 */
export interface BatchJobs {
  /**
   * Collects jobs that are done, begins new ones while enough texts lack vectors, and, where the settings say so, waits
   * for them. What a job could not do is left to ordinary requests. Rejects with `aborted`; jobs then go on, and a
   * later call collects them.
   */
  run(work: BatchWork): Promise<BatchOutcome>;
  /** False after too many failures, as long as this object lives. Jobs under way are collected nevertheless. */
  isOn(): boolean;
  /** True while nothing happens but waiting for the service. */
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
  /** What went wrong last, also when it was made good by ordinary requests. */
  readonly last: string | null;
}

export interface BatchWork {
  readonly ledger: JobLedger;
  /** Texts that lack vectors, in a stable order. */
  readonly missing: (limit: number, narrow: NarrowedTexts) => Promise<readonly InputText[]>;
  /** Stores what has come; a text that is not missing any more is passed over. */
  readonly keep: (texts: readonly KeptText[]) => Promise<void>;
  readonly onProgress: (state: { completed: number; total: number; label: string }) => void;
  readonly signal: AbortSignal | undefined;
}

export interface InputText {
  readonly hash: string;
  readonly text: string;
}

export interface NarrowedTexts {
  readonly except?: ReadonlySet<string>;
  readonly only?: readonly string[];
}

export interface KeptText {
  readonly hash: string;
  readonly text: EmbeddedText;
}

export interface BatchOutcome {
  /** Hashes of texts in jobs that are under way: they must not be requested again. */
  readonly pending: ReadonlySet<string>;
  /** True if all other texts should wait too, because no further job may start. */
  readonly holdsRest: boolean;
}

/** Where jobs are written down, whole, before and after each step. */
export interface JobLedger {
  read(): Promise<readonly JobRecord[]>;
  write(jobs: readonly JobRecord[]): Promise<void>;
}

/** A job as it is remembered. No text and no key is in it. */
export interface JobRecord {
  /** Ours, given to the service with the job, so that it can be found by it. */
  readonly name: string;
  /** The service's id; null from before the request until its answer is recorded. */
  readonly id: string | null;
  /** Of its texts, in the order of the job. */
  readonly hashes: readonly string[];
  /** Estimated, of all its texts. */
  readonly tokens: number;
  readonly since: string;
  /** 2 for one that repeats another which took too long. */
  readonly attempt: number;
}
