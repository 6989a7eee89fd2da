import { LonghandError, throwIfAborted } from "../../errors.ts";
import { type Clock, runWithin } from "../../timing.ts";
import { isFailure, type ServiceFailure } from "./service.ts";

export type RetryClock = Pick<Clock, "now" | "random" | "sleep">;

interface RetryOptions {
  /** The name of the service, for messages. */
  readonly from: string;
  readonly clock: RetryClock;
}

const attempts = 3;
const firstPauseMs = 500;
const longestPauseMs = 8000;
/** A longer delay is not waited for. */
const longestWaitMs = 120_000;

/** Retries a request; `deadlineMs` is for all attempts together, without the delays between them. */
export type Retry = <Answer extends object>(
  options: { readonly deadlineMs: number; readonly signal: AbortSignal },
  send: (signal: AbortSignal) => Promise<Answer | ServiceFailure>,
) => Promise<Answer | ServiceFailure>;

/**
 * Retries a request that may succeed later: at most three times, with exponential backoff and jitter. If the service
 * asks for a delay, all requests wait for it, not only the refused one.
 */
export function createRetry({ from, clock }: RetryOptions): Retry {
  let pausedUntilMs = 0;
  return async ({ deadlineMs, signal }, send) => {
    let remainingMs = deadlineMs;
    for (let attempt = 1; ; attempt++) {
      await pause(pausedUntilMs - clock.now(), signal);
      const startedMs = clock.now();
      const answer = await runWithin(remainingMs, send, { signal });
      if (answer === undefined) return timedOut(from, deadlineMs);
      if (!isFailure(answer) || answer.kind !== "again") return answer;
      remainingMs -= clock.now() - startedMs;
      const askedMs = answer.retryAfterMs ?? 0;
      if (attempt === attempts || askedMs > longestWaitMs || remainingMs <= 0) return answer;
      if (askedMs > 0) pausedUntilMs = Math.max(pausedUntilMs, clock.now() + askedMs);
      else await pause(clock.random() * Math.min(longestPauseMs, firstPauseMs * 2 ** (attempt - 1)), signal);
    }
  };

  async function pause(ms: number, signal: AbortSignal): Promise<void> {
    if (ms > 0) await clock.sleep(ms, signal);
    throwIfAborted(signal);
  }
}

function timedOut(from: string, ms: number): ServiceFailure {
  const error = new LonghandError(
    "provider-unreachable",
    `${from} gave no complete answer within ${ms / 1000} seconds.`,
    { hint: "Check the network and whether the service is overloaded; then sync again.", retryable: true },
  );
  return { kind: "final", error };
}
