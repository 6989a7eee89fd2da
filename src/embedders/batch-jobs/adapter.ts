import type { ServiceFailure } from "../remote/service.ts";

/** What tells the batch service of one provider from that of another. */
export interface BatchAdapter {
  /** Of one job. */
  readonly limits: { readonly items: number; readonly bytes: number };
  /** What a token costs, compared with an ordinary request. */
  readonly priceFactor: number;
  /** One input as a file of them holds it. */
  lineOf(input: Omit<JobInput, "line">): string;
  /** Brings the inputs to the service; repeating it costs nothing. */
  upload(job: NewJob, signal: AbortSignal): Promise<UploadedInput | ServiceFailure>;
  /** Begins the job. Not repeated: the answer may be lost although the job has begun. */
  create(job: NewJob, input: UploadedInput, signal: AbortSignal): Promise<JobState | ServiceFailure>;
  /** The newest job of that name, or null. */
  find(name: string, signal: AbortSignal): Promise<JobState | NotFound | ServiceFailure>;
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
  /** Null when the inputs travel with the job itself. */
  readonly file: string | null;
}

export interface NotFound {
  readonly found: false;
}

export interface JobState {
  readonly id: string;
  readonly phase: "running" | "completed" | "failed" | "expired" | "cancelled";
  /** Inputs that the service has dealt with; null where it does not say. */
  readonly done: number | null;
  /** Why it has not completed, masked and short. */
  readonly reason: string | null;
  /** Passes on all results of the job, in any order; may be called again after a failure. */
  readonly read: (onItem: OnItem, signal: AbortSignal) => Promise<object | ServiceFailure>;
}

export type OnItem = (item: JobItem) => Promise<void>;

/** What became of one input. */
export type JobItem =
  | { readonly key: string; readonly vector: ArrayLike<number>; readonly tokens: number | null }
  | { readonly key: string; readonly problem: string };
