import { setImmediate } from "node:timers/promises";

/** Lets the rest of the process run when this one has kept it waiting for a while. */
export type Pace = () => Promise<void>;

/**
 * Reading and cutting notes is synchronous work of well under a millisecond each; giving way after every one would cost
 * more than the work, giving way only between groups would be felt by a server.
 */
export function createPace({ sliceMs = 8 }: { sliceMs?: number } = {}): Pace {
  let sinceMs = performance.now();
  return async () => {
    if (performance.now() - sinceMs < sliceMs) return;
    await setImmediate();
    sinceMs = performance.now();
  };
}
