import { setImmediate } from "node:timers/promises";
import { throwIfAborted } from "./errors.ts";

/** Clock and randomness as an argument, so that tests control them. */
export interface Clock {
  /** Milliseconds from an arbitrary start; never goes backwards. */
  now(): number;
  /** In the range 0 to 1, excluding 1. */
  random(): number;
  /** Resolves early, without rejecting, if the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Calls back once, unless the returned function is called first. */
  after(ms: number, callBack: () => void): () => void;
}

/** Milliseconds since the process started. Unlike `performance.now()`, it does not load a large module of Node. */
export function monotonicMs(): number {
  return process.uptime() * 1000;
}

export const systemClock: Clock = {
  now: monotonicMs,
  random: Math.random,
  async sleep(ms, signal) {
    await settleWithin(ms, new Promise<void>(() => {}), { signal });
  },
  after(ms, callBack) {
    const timer = setTimeout(callBack, ms);
    return () => clearTimeout(timer);
  },
};

/** A timer of more milliseconds would fire at once. */
export const maxTimerMs = 2 ** 31 - 1;

/**
 * Waits for a promise until the timeout (null for none) or until the signal aborts, and then resolves to undefined. The
 * work itself continues; later failures are ignored.
 */
export async function settleWithin<T>(
  ms: number | null,
  work: Promise<T>,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<T | undefined> {
  const { promise: isOver, resolve } = Promise.withResolvers<undefined>();
  const end = (): void => resolve(undefined);
  const timer = ms === null ? undefined : setTimeout(end, Math.min(ms, maxTimerMs));
  signal?.addEventListener("abort", end, { once: true });
  if (signal?.aborted) end();
  try {
    return await Promise.race([work, isOver]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
  }
}

/** Resolves once the signal aborts. */
export async function untilAborted(signal: AbortSignal): Promise<void> {
  await settleWithin(null, new Promise<never>(() => {}), { signal });
}

/**
 * Runs work that takes a signal, and stops waiting for it at the timeout (then it resolves to undefined) or when the
 * caller's signal aborts (then it rejects), whether the work honours the signal or not.
 */
export async function runWithin<T>(
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<T | undefined> {
  const deadline = new AbortController();
  const either = signal ? AbortSignal.any([signal, deadline.signal]) : deadline.signal;
  const timer = setTimeout(() => deadline.abort(), Math.min(ms, maxTimerMs));
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const onEnd = (): void => reject(either.reason);
  either.addEventListener("abort", onEnd, { once: true });
  try {
    throwIfAborted(signal);
    const working = work(either);
    // Nobody waits for a failure after the end.
    working.catch(() => {});
    return await Promise.race([working, ended]);
  } catch (error) {
    throwIfAborted(signal);
    if (deadline.signal.aborted) return undefined;
    throw error;
  } finally {
    clearTimeout(timer);
    either.removeEventListener("abort", onEnd);
  }
}

/** Long work checks periodically whether it has blocked the thread for long enough, and then yields. */
export interface Slices {
  isOver(): boolean;
  next(): Promise<void>;
}

/**
 * How long indexing may block the thread: longer would be noticeable in a server, and yielding after every note costs
 * more than the note.
 */
export const sliceMs = 8;

export function createSlices(sliceMs: number): Slices {
  let startedAt = monotonicMs();
  return {
    isOver: () => monotonicMs() - startedAt > sliceMs,
    next: async () => {
      await setImmediate();
      startedAt = monotonicMs();
    },
  };
}
