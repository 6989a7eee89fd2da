import type { ServiceFailure } from "../remote/service.ts";

/** The differences between the batch services of providers. */
export interface BatchAdapter {
  /** Of one job. */
  readonly limits: { readonly items: number; readonly bytes: number };
  /** The price of a token, relative to an ordinary request. */
  readonly priceFactor: number;
  /** One input as a line of the file. */
  lineOf(input: Omit<JobInput, "line">): string;
  /** Uploads the inputs; repeating it costs nothing. */
  upload(job: NewJob, signal: AbortSignal): Promise<UploadedInput | ServiceFailure>;
  /** Starts the job. Not retried: the response may be lost although the job has started. */
  create(job: NewJob, input: UploadedInput, signal: AbortSignal): Promise<JobState | ServiceFailure>;
  /** The newest job of that name; null if there is none. */
  find(name: string, signal: AbortSignal): Promise<JobState | ServiceFailure | null>;
  look(id: string, signal: AbortSignal): Promise<JobState | ServiceFailure>;
  cancel(id: string, signal: AbortSignal): Promise<object | ServiceFailure>;
}

export interface JobInput {
  /** Unique in its job. */
  readonly key: string;
  readonly text: string;
  readonly line: string;
}

export interface NewJob {
  readonly name: string;
  readonly inputs: readonly JobInput[];
}

export interface UploadedInput {
  /** Null if the inputs are sent with the job itself. */
  readonly file: string | null;
}

export interface JobState {
  readonly id: string;
  readonly phase: "running" | "completed" | "failed" | "expired" | "cancelled";
  /** Inputs that the service has processed; null if it does not say. */
  readonly done: number | null;
  /** Why it failed, masked and shortened. */
  readonly reason: string | null;
  /** Passes on all results of the job, in any order; may be called again after a failure. */
  readonly read: (onItem: OnItem, signal: AbortSignal) => Promise<object | ServiceFailure>;
}

export type OnItem = (item: JobItem) => Promise<void>;

/** The result for one input. */
export type JobItem =
  | { readonly key: string; readonly vector: ArrayLike<number>; readonly tokens: number | null }
  | { readonly key: string; readonly problem: string };
