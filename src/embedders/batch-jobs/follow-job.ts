import { messageOf, throwIfAborted } from "../../errors.ts";
import type { Clock } from "../../timing.ts";
import { checkVectors } from "../check-vectors.ts";
import { isFailure, type ServiceFailure } from "../remote/service.ts";
import type { BatchAdapter, JobItem, JobState } from "./adapter.ts";
import type { BatchWork, JobRecord, KeptText } from "./batch-jobs.ts";

interface FollowOptions {
  readonly adapter: Pick<BatchAdapter, "look" | "cancel">;
  readonly collect: (state: JobState) => Promise<CollectedJob | ServiceFailure>;
  /** The first interval between polls; later ones are longer. */
  readonly pollIntervalMs: number;
  /** Polls once and does not wait. */
  readonly once: boolean;
  /** When the job is given up, by `nowMs`. */
  readonly deadlineMs: number;
  /** How long a cancelled job may take to end, so that its results are kept. */
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
  /** The service does not know it, or its results cannot be stored. */
  | { readonly kind: "useless"; readonly reason: string }
  /** It can never be polled this way. */
  | { readonly kind: "unreachable"; readonly reason: string }
  | { readonly kind: "late"; readonly collected: CollectedJob | null }
  | { readonly kind: "running" };

const growth = 1.5;
const longestPauseMs = 60_000;

/** Polls a job until it has ended and its results are stored, or its time is over. */
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
  if (isFailure(state)) return classify(state);
  onState(state);
  if (state.phase === "running") return { kind: "running", askedMs: 0 };
  const collected = await collect(state);
  if (isFailure(collected)) return classify(collected);
  return { kind: "ended", phase: state.phase, collected, reason: state.reason };
}

/** A busy or unreachable service is polled again later. */
function classify({ error, status, retryAfterMs = 0 }: ServiceFailure): Look {
  if (error.retryable) return { kind: "running", askedMs: retryAfterMs };
  return { kind: status === 404 || status === 410 ? "useless" : "unreachable", reason: error.message };
}

/** Cancels the job, and waits a little for the results so far. */
async function giveUp(job: JobRecord & { id: string }, options: FollowOptions): Promise<JobEnd> {
  const { adapter, pollIntervalMs, graceMs, once, nowMs, clock, signal } = options;
  // If even this fails, only the results so far can be had.
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

export interface CollectedJob {
  /** Texts that have their vectors now. */
  readonly kept: ReadonlySet<string>;
  readonly tokens: number;
  /** Why the first result without a usable vector has none. */
  readonly problem: string | null;
}

interface CollectOptions {
  readonly job: JobRecord;
  readonly state: JobState;
  readonly from: string;
  /** Null if the first vector decides. */
  readonly dimensions: number | null;
  readonly keep: BatchWork["keep"];
  readonly signal: AbortSignal;
}

const textsPerCommit = 256;

/**
 * Checks the results of a job, in any order, and passes them to the store. Unrequested results are ignored, and of two
 * for the same text the first usable one counts. Lines that arrived before the connection broke are kept.
 */
export async function collectJob(options: CollectOptions): Promise<CollectedJob | ServiceFailure> {
  const { job, state, from, keep, signal } = options;
  const done = new Set<number>();
  const tokensOfOne = job.tokens / Math.max(1, job.hashes.length);
  let { dimensions } = options;
  let pending: KeptText[] = [];
  let tokens = 0;
  let problem: string | null = null;

  const flush = async (): Promise<void> => {
    const texts = pending;
    pending = [];
    if (texts.length > 0) await keep(texts);
  };
  const check = (item: JobItem): Float32Array | string => {
    if ("problem" in item) return item.problem;
    try {
      const [vector] = checkVectors([item.vector], { from, count: 1, dimensions });
      return vector instanceof Float32Array ? vector : (vector?.refused ?? "no vector came back");
    } catch (error) {
      return messageOf(error);
    }
  };
  const answer = await state.read(async (item) => {
    const index = /^\d{1,9}$/.test(item.key) ? Number(item.key) : -1;
    const hash = job.hashes[index];
    if (hash === undefined || done.has(index)) return;
    const vector = check(item);
    if (typeof vector === "string") {
      problem ??= vector;
      return;
    }
    dimensions ??= vector.length;
    done.add(index);
    tokens += ("tokens" in item ? item.tokens : null) ?? tokensOfOne;
    pending.push({ hash, text: [vector] });
    if (pending.length >= textsPerCommit) await flush();
  }, signal);
  await flush();
  if (isFailure(answer)) return answer;
  const kept = new Set([...done].map((index) => job.hashes[index]!));
  return { kept, tokens: Math.round(tokens), problem };
}
