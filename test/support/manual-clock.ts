import type { Clock } from "../../src/timing.ts";

/** A clock that a test advances. */
export function createManualClock(): Pick<Clock, "now" | "after"> & {
  moveTo(ms: number): void;
  /** How many timers are pending. */
  readonly pending: number;
} {
  let nowMs = 0;
  const timers = new Map<object, { atMs: number; then: () => void }>();
  return {
    now: () => nowMs,
    get pending() {
      return timers.size;
    },
    after(ms, then) {
      const key = {};
      timers.set(key, { atMs: nowMs + ms, then });
      return () => timers.delete(key);
    },
    moveTo(ms) {
      for (;;) {
        const due = [...timers].filter(([, { atMs }]) => atMs <= ms).sort((a, b) => a[1].atMs - b[1].atMs)[0];
        if (due === undefined) break;
        timers.delete(due[0]);
        nowMs = Math.max(nowMs, due[1].atMs);
        due[1].then();
      }
      nowMs = ms;
    },
  };
}
