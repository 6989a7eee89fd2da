import { throwIfAborted } from "../../errors.ts";
import type { Clock } from "../remote/retrying.ts";
import { isFailure, type ServiceFailure } from "../remote/service.ts";
import type { BatchAdapter, JobState } from "./adapter.ts";
import type { JobRecord } from "./batch-jobs.ts";
import type { CollectedJob } from "./collect-job.ts";

export interface FollowOptions {
  readonly adapter: Pick<BatchAdapter, "look" | "cancel">;
  readonly collect: (job: JobRecord, state: JobState) => Promise<CollectedJob | ServiceFailure>;
  /** The first pause between two looks; the next are longer. */
  readonly pollIntervalMs: number;
  /** Looks once and does not wait. */
  readonly once: boolean;
  /** When the job is given up, by `nowMs`. */
  readonly deadlineMs: number;
  /** How long a job that is given up may take to end, so that what it has done is kept. */
  readonly graceMs: number;
  readonly nowMs: () => number;
  readonly clock: Pick<Clock, "sleep">;
  readonly onState: (state: JobState) => void;
  readonly signal: AbortSignal;
}

export type JobEnd =
  | {
      readonly kind: "ended";
      readonly phase: JobState["phase"];
      readonly collected: CollectedJob;
      readonly reason: string | null;
    }
  /** The service does not know it, or what it gave cannot be kept. */
  | { readonly kind: "useless"; readonly reason: string }
  /** It cannot be asked about in this way, now or ever. */
  | { readonly kind: "unreachable"; readonly reason: string }
  | { readonly kind: "late"; readonly collected: CollectedJob | null }
  | { readonly kind: "running" };

const growth = 1.5;
const longestPauseMs = 60_000;

/** Looks at a job until it has ended and its results are kept, or its time is over. */
export async function followJob(job: JobRecord & { id: string }, options: FollowOptions): Promise<JobEnd> {
  const { pollIntervalMs, once, deadlineMs, nowMs, signal } = options;
  for (
    let pauseMs = pollIntervalMs;
    ;
    pauseMs = Math.min(pauseMs * growth, Math.max(longestPauseMs, pollIntervalMs))
  ) {
    const seen = await lookOnce(job, options);
    if (seen.kind !== "running") return seen;
    const leftMs = deadlineMs - nowMs();
    if (leftMs <= 0) return await giveUp(job, options);
    if (once) return seen;
    await options.clock.sleep(Math.min(Math.max(pauseMs, seen.askedMs), leftMs), signal);
    throwIfAborted(signal);
  }
}

type Look =
  | Exclude<JobEnd, { kind: "running" | "late" }>
  | { readonly kind: "running"; readonly askedMs: number };

async function lookOnce(job: JobRecord & { id: string }, options: FollowOptions): Promise<Look> {
  const { adapter, collect, onState, signal } = options;
  const state = await adapter.look(job.id, signal);
  if (isFailure(state)) return judge(state);
  onState(state);
  if (state.phase === "running") return { kind: "running", askedMs: 0 };
  const collected = await collect(job, state);
  if (isFailure(collected)) return judge(collected);
  return { kind: "ended", phase: state.phase, collected, reason: state.reason };
}

/** A service that is busy or away is asked again later. */
function judge({ error, status, retryAfterMs = 0 }: ServiceFailure): Look {
  if (error.retryable) return { kind: "running", askedMs: retryAfterMs };
  return { kind: status === 404 || status === 410 ? "useless" : "unreachable", reason: error.message };
}

/** Asks the service to stop, and waits a little for what it has done until then. */
async function giveUp(job: JobRecord & { id: string }, options: FollowOptions): Promise<JobEnd> {
  const { adapter, pollIntervalMs, graceMs, once, nowMs, clock, signal } = options;
  // When even this fails, what the job has done so far is all that can be had.
  await adapter.cancel(job.id, signal);
  const endsMs = nowMs() + graceMs;
  for (;;) {
    const seen = await lookOnce(job, options);
    if (seen.kind === "ended")
      return seen.phase === "cancelled" ? { kind: "late", collected: seen.collected } : seen;
    const leftMs = endsMs - nowMs();
    if (seen.kind !== "running" || once || leftMs <= 0) return { kind: "late", collected: null };
    await clock.sleep(Math.min(pollIntervalMs, leftMs), signal);
    throwIfAborted(signal);
  }
}
