import { setImmediate } from "node:timers/promises";

/**
 * Long work asks now and then whether it has held the thread long enough, and then lets the host's other
 * work run.
 */
export interface Slices {
  isOver(): boolean;
  next(): Promise<void>;
}

/** One for all writes of a store: many short transactions in a row hold the thread as much as a long one. */
export function createSlices(sliceMs: number): Slices {
  let startedAt = performance.now();
  return {
    isOver: () => performance.now() - startedAt > sliceMs,
    next: async () => {
      await setImmediate();
      startedAt = performance.now();
    },
  };
}
