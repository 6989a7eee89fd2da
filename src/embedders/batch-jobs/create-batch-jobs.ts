import { throwIfAborted } from "../../errors.ts";
import { systemClock } from "../../timing.ts";
import type { HttpAccess } from "../remote/http-access.ts";
import { type Redact, redactText } from "../remote/mask.ts";
import { createRetry, type RetryClock } from "../remote/retrying.ts";
import type { BatchAdapter } from "./adapter.ts";
import type { BatchJobs } from "./batch-jobs.ts";
import { createBatchRun, createFailureCount } from "./batch-run.ts";
import { type BatchWire, createBatchWire } from "./batch-wire.ts";
import type { CollectedJob } from "./follow-job.ts";
import { openJobLog } from "./submit-job.ts";

export interface BatchSettings {
  /** A job is started if this many texts lack vectors. */
  readonly minTexts: number;
  /** Otherwise a later run collects the results. */
  readonly wait: boolean;
  /** Concurrent jobs. */
  readonly concurrency: number;
  readonly pollIntervalMs: number;
  /** After this time, a job with a waiting caller is given up. */
  readonly timeoutMs: number;
}

export interface BatchJobsOptions {
  readonly settings: BatchSettings;
  readonly access: HttpAccess;
  readonly createAdapter: (access: HttpAccess, wire: BatchWire) => BatchAdapter;
  readonly redact?: Redact | undefined;
  /** For an answer of a few kilobytes, and for a file. */
  readonly deadlineMs?: { readonly call: number; readonly transfer: number } | undefined;
  readonly clock?: RetryClock | undefined;
  /** Wall-clock time, which other processes share. */
  readonly nowMs?: (() => number) | undefined;
}

/** A job without a waiting caller gets the maximum time of the services. */
const unwaitedMs = 25 * 3600 * 1000;

export function createBatchJobs({
  settings,
  access,
  createAdapter,
  redact = redactText,
  // A service that hangs must not take longer than the job is allowed to.
  deadlineMs = {
    call: Math.min(60_000, Math.max(1000, settings.timeoutMs)),
    transfer: Math.min(600_000, Math.max(1000, settings.timeoutMs)),
  },
  clock = systemClock,
  nowMs = Date.now,
}: BatchJobsOptions): BatchJobs {
  const retry = createRetry({ from: access.from, clock });
  const wire = createBatchWire({ access, retry, deadlineMs });
  const adapter = createAdapter(access, wire);
  const failures = createFailureCount();
  const timeoutMs = settings.wait ? settings.timeoutMs : Math.max(settings.timeoutMs, unwaitedMs);
  let tokens = 0;
  let pauses = 0;
  const counted: RetryClock = {
    ...clock,
    async sleep(ms, signal) {
      pauses++;
      await clock.sleep(ms, signal).finally(() => pauses--);
    },
  };
  const parts = {
    ...{ settings, access, adapter, retry, redact, failures, timeoutMs, nowMs },
    deadlineMs: deadlineMs.call,
    clock: counted,
    lookedMs: new Map<string, number>(),
    onCollected: (collected: CollectedJob) => {
      tokens += collected.tokens;
    },
  };

  return {
    async run(work) {
      throwIfAborted(work.signal);
      const run = createBatchRun(parts, work, await openJobLog(work.ledger));
      const known = await run.recover();
      if (settings.wait) await workThrough(known, run, settings.concurrency);
      else {
        for (const job of known) await run.settle(job);
        while ((await run.beginNext()) !== null);
      }
      throwIfAborted(work.signal);
      return run.outcome();
    },
    isOn: failures.isBelowLimit,
    isWaiting: () => pauses > 0,
    trouble: failures.trouble,
    usage: () => {
      const usd = access.usdPerMillionTokens;
      const costUsd = usd === null ? null : (tokens / 1e6) * usd * adapter.priceFactor;
      return { requests: wire.requests(), tokens, costUsd };
    },
  };
}

interface Steps<Job> {
  /** The next job to start; null if there is none. */
  readonly beginNext: () => Promise<Job | null>;
  readonly settle: (job: Job) => Promise<void>;
}

/** Settles known jobs and then new ones, several at once. After a failure no more are started, and all are awaited. */
async function workThrough<Job>(
  known: readonly Job[],
  { beginNext, settle }: Steps<Job>,
  concurrency: number,
): Promise<void> {
  const queue = [...known];
  const failures: unknown[] = [];
  let choosing: Promise<unknown> = Promise.resolve();
  const next = (): Promise<Job | null> => {
    // One at a time: each must see which texts the others have taken.
    const chosen = choosing.then(() => queue.shift() ?? beginNext());
    choosing = chosen.catch(() => {});
    return chosen;
  };
  const work = async (): Promise<void> => {
    while (failures.length === 0) {
      const job = await next();
      if (job === null) return;
      await settle(job);
    }
  };
  await Promise.all(
    Array.from({ length: concurrency }, () => work().catch((error: unknown) => failures.push(error))),
  );
  if (failures.length > 0) throw failures[0];
}
