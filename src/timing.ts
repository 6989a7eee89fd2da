import { setImmediate } from "node:timers/promises";

/** Time and chance as an argument, so that tests decide them. */
export interface Clock {
  /** Milliseconds from an arbitrary start; never goes back. */
  now(): number;
  /** 0 up to 1. */
  random(): number;
  /** Ends early, and does not reject, when the signal aborts. */
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

/**
 * Waits for some work until time runs out (never with null) or the signal aborts, and gives undefined then. The work
 * itself goes on; a later failure of it is ignored.
 */
export async function settleWithin<T>(
  ms: number | null,
  work: Promise<T>,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<T | undefined> {
  const { promise: isOver, resolve } = Promise.withResolvers<undefined>();
  const end = (): void => resolve(undefined);
  const timer = ms === null ? undefined : setTimeout(end, ms);
  signal?.addEventListener("abort", end, { once: true });
  if (signal?.aborted) end();
  try {
    return await Promise.race([work, isOver]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
  }
}

/** Long work asks now and then whether it has held the thread long enough, and then lets other work run. */
export interface Slices {
  isOver(): boolean;
  next(): Promise<void>;
}

/** How long indexing may hold the thread: longer is felt by a server, and giving way after every note costs more than the note. */
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
