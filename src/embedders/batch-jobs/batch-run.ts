import { randomBytes } from "node:crypto";
import { LonghandError, throwIfAborted } from "../../errors.ts";
import { cutToTokens } from "../remote/estimate-tokens.ts";
import type { HttpAccess } from "../remote/http-access.ts";
import type { Redact } from "../remote/mask.ts";
import type { Retry, RetryClock } from "../remote/retrying.ts";
import { isFailure } from "../remote/service.ts";
import type { BatchAdapter } from "./adapter.ts";
import type { BatchOutcome, BatchTrouble, BatchWork, InputText, JobRecord } from "./batch-jobs.ts";
import type { BatchSettings } from "./create-batch-jobs.ts";
import { type CollectedJob, collectJob, followJob, type JobEnd } from "./follow-job.ts";
import { type JobLog, planJob, recoverJob, submitJob } from "./submit-job.ts";

interface BatchRunParts {
  readonly settings: BatchSettings;
  readonly access: HttpAccess;
  readonly adapter: BatchAdapter;
  readonly retry: Retry;
  readonly redact: Redact;
  readonly failures: ReturnType<typeof createFailureCount>;
  /** After this time a job is given up. */
  readonly timeoutMs: number;
  /** For one request. */
  readonly deadlineMs: number;
  readonly clock: RetryClock;
  readonly nowMs: () => number;
  /** When a job was last polled, because runs may come more often than polls should. */
  readonly lookedMs: Map<string, number>;
  readonly onCollected: (collected: CollectedJob) => void;
}

const maxGraceMs = 60_000;
/** How long a job is searched for that may never have started. */
const searchedForMs = 25 * 3600 * 1000;

/** One run over the recorded jobs and the missing texts. */
export function createBatchRun(parts: BatchRunParts, work: BatchWork, log: JobLog) {
  const { settings, access, adapter, retry, failures, timeoutMs, nowMs } = parts;
  const signal = work.signal ?? new AbortController().signal;
  /** Texts for ordinary requests, because a job has failed for them. */
  const released = new Set<string>();
  /** Jobs whose state cannot be read: they stay recorded, but are not waited for. */
  const unreachable = new Set<string>();
  const done = new Map<string, number>();
  let holdsRest = false;

  const pending = (): Set<string> =>
    new Set(log.list().flatMap(({ name, hashes }) => (unreachable.has(name) ? [] : hashes)));

  const release = ({ hashes }: JobRecord, kept?: ReadonlySet<string>): void => {
    for (const hash of hashes) if (!kept?.has(hash)) released.add(hash);
  };

  function reportProgress(): void {
    const jobs = log.list().filter(({ name }) => done.has(name));
    work.onProgress({
      completed: jobs.reduce((sum, { name }) => sum + (done.get(name) ?? 0), 0),
      total: jobs.reduce((sum, { hashes }) => sum + hashes.length, 0),
      label: `waiting for ${jobs.length === 1 ? "a batch job" : `${jobs.length} batch jobs`} of ${access.provider}`,
    });
  }

  /** Null if it did not start: its texts are released, or stay with a job that may exist. */
  async function begin(texts: readonly InputText[], attempt: number): Promise<JobRecord | null> {
    const name = `longhand-${randomBytes(8).toString("hex")}`;
    const about = { name, since: new Date(nowMs()).toISOString(), attempt };
    const prepare = (text: string): string =>
      cutToTokens(parts.redact(text).toWellFormed(), access.limits.inputTokens);
    const { limits, lineOf } = adapter;
    const plan = await planJob(texts, { limits, lineOf, prepare }, about);
    const submitted = await submitJob(plan, { adapter, log, retry, deadlineMs: parts.deadlineMs, signal });
    if (!isFailure(submitted)) return submitted;
    failures.fail(`a batch job could not be begun: ${submitted.error.message}`);
    release(plan.record);
    return null;
  }

  /** The next job, of texts that are in no other; null if there are too few, or no further job may start. */
  async function beginNext(): Promise<JobRecord | null> {
    while (failures.isBelowLimit()) {
      throwIfAborted(signal);
      const except = new Set([...pending(), ...released]);
      const found = await work.missing(adapter.limits.items, { except });
      const blank = found.filter(({ text }) => text.trim() === "");
      if (blank.length > 0) await work.keep(blank.map(({ hash }) => ({ hash, text: [] })));
      const texts = found.filter(({ text }) => text.trim() !== "");
      if (texts.length < settings.minTexts) return null;
      holdsRest = log.list().length - unreachable.size >= settings.concurrency;
      if (holdsRest) return null;
      const job = await begin(texts, 1);
      if (job !== null) return job;
    }
    return null;
  }

  async function follow(job: JobRecord): Promise<JobEnd> {
    const { name, id, since, hashes } = job;
    const agoMs = nowMs() - (parts.lookedMs.get(name) ?? Number.NEGATIVE_INFINITY);
    const isTooSoon = !settings.wait && agoMs >= 0 && agoMs < settings.pollIntervalMs;
    if (id === null || isTooSoon) return { kind: "running" };
    done.set(name, 0);
    reportProgress();
    try {
      return await followJob(
        { ...job, id },
        {
          ...{ adapter, nowMs, signal, clock: parts.clock, pollIntervalMs: settings.pollIntervalMs },
          once: !settings.wait,
          // Only the time in which a process waits counts.
          deadlineMs: (settings.wait ? nowMs() : Date.parse(since)) + timeoutMs,
          graceMs: Math.min(timeoutMs, maxGraceMs),
          collect: (state) =>
            collectJob({
              ...{ job, state, signal, from: access.from, dimensions: access.dimensions },
              keep: work.keep,
            }),
          onState(state) {
            parts.lookedMs.set(name, nowMs());
            done.set(name, Math.min(hashes.length, state.done ?? 0));
            reportProgress();
          },
        },
      );
    } catch (error) {
      // The store rejects these vectors, and would do so again.
      if (!(error instanceof LonghandError) || error.code !== "vectors-invalid") throw error;
      return { kind: "useless", reason: error.message };
    } finally {
      done.delete(name);
    }
  }

  /** Handles the end of a job; returns the job that replaces it, if any. */
  async function conclude(job: JobRecord, end: JobEnd): Promise<JobRecord | null> {
    if (end.kind === "running") return null;
    if (end.kind === "unreachable") {
      unreachable.add(job.name);
      release(job);
      failures.fail(`the batch job ${job.id} cannot be asked about: ${end.reason}`);
      return null;
    }
    parts.lookedMs.delete(job.name);
    await log.remove(job.name);
    const collected = "collected" in end ? end.collected : null;
    if (collected !== null) parts.onCollected(collected);
    if (end.kind === "late") return await concludeLate(job, collected);
    release(job, collected?.kept);
    const why = describeEnd(job, end);
    const isGood = end.kind === "ended" && end.phase === "completed" && end.collected.kept.size > 0;
    if (isGood || why === null) failures.succeed(why);
    else failures.fail(why);
    return null;
  }

  async function concludeLate(job: JobRecord, collected: CollectedJob | null): Promise<JobRecord | null> {
    const minutes = Math.round(timeoutMs / 600) / 100;
    const why = `the batch job ${job.id} was not done within ${minutes} minutes`;
    const texts = await work.missing(job.hashes.length, { only: job.hashes });
    if (job.attempt === 1 && failures.isBelowLimit() && texts.length > 0) {
      failures.note(`${why}; it is tried once more`);
      return await begin(texts, 2);
    }
    failures.fail(why, failureLimit);
    release(job, collected?.kept);
    return null;
  }

  return {
    beginNext,
    /** Polls a job until it ends, then the one that replaces it. */
    async settle(first: JobRecord): Promise<void> {
      let job: JobRecord | null = first;
      while (job !== null) {
        const next: JobRecord | null = await conclude(job, await follow(job));
        // A job that has just started has nothing to report.
        job = settings.wait ? next : null;
      }
    },
    /** Jobs of earlier runs whose results are still needed. */
    async recover(): Promise<JobRecord[]> {
      const known: JobRecord[] = [];
      for (const record of log.list()) {
        const isWanted = (await work.missing(1, { only: record.hashes })).length > 0;
        const isForgotten = record.id === null && nowMs() - Date.parse(record.since) > searchedForMs;
        if (!isWanted || isForgotten) {
          await log.remove(record.name);
          // It does not matter whether that succeeds: the job is not read again.
          if (record.id !== null) await adapter.cancel(record.id, signal);
          continue;
        }
        const job = await recoverJob(record, { adapter, log, signal });
        if (job === null) continue;
        if (isFailure(job))
          failures.fail(`it is not known whether a batch job was started: ${job.error.message}`);
        else known.push(job);
      }
      return known;
    },
    outcome: (): BatchOutcome => ({ pending: pending(), holdsRest }),
  };
}

/** Null if there was no failure. */
function describeEnd(job: JobRecord, end: Extract<JobEnd, { kind: "ended" | "useless" }>): string | null {
  if (end.kind === "useless") return `the batch job ${job.id} gave nothing: ${end.reason}`;
  const { phase, collected, reason } = end;
  const missing = job.hashes.length - collected.kept.size;
  if (phase === "completed" && missing === 0) return null;
  const said = reason ?? collected.problem;
  const ended = phase === "completed" ? "ended" : phase === "failed" ? "failed" : `was ${phase}`;
  const count = `${missing} of ${job.hashes.length} texts without a vector`;
  return `the batch job ${job.id} ${ended} with ${count}${said === null ? "" : `: ${said}`}`;
}

const failureLimit = 2;

/** Counts consecutive failures; after two, no more jobs are started. */
export function createFailureCount() {
  let failures = 0;
  let last: string | null = null;
  return {
    isBelowLimit: () => failures < failureLimit,
    fail(why: string, count = 1): void {
      failures += count;
      last = why;
    },
    /** It succeeded in the end; `note` says what went wrong in between. */
    succeed(note: string | null): void {
      failures = 0;
      last = note;
    },
    /** Neither success nor failure yet. */
    note(why: string): void {
      last = why;
    },
    trouble: (): BatchTrouble => ({ failures, limit: failureLimit, last }),
  };
}
