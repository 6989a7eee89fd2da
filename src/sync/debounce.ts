import type { Clock } from "../timing.ts";

export interface DebounceOptions {
  /** How long it must be quiet. */
  readonly quietMs: number;
  /** Where it never gets quiet, a file that is appended to all day, this long after the first hint. */
  readonly maxWaitMs: number;
  readonly clock: Pick<Clock, "now" | "after">;
}

export interface Debounce {
  /** May be called very often: a hundred thousand hints cost one timer. */
  hint(): void;
  /** Forgets what was hinted. */
  cancel(): void;
}

/** Calls `then` when hints have stopped coming, or have come for too long. */
export function createDebounce({ quietMs, maxWaitMs, clock }: DebounceOptions, then: () => void): Debounce {
  let firstMs = 0;
  let lastMs = 0;
  let stop: (() => void) | undefined;

  const dueMs = (): number => Math.min(lastMs + quietMs, firstMs + maxWaitMs);
  const arm = (): void => {
    stop = clock.after(Math.max(0, dueMs() - clock.now()), () => {
      if (clock.now() < dueMs()) return arm();
      stop = undefined;
      then();
    });
  };

  return {
    hint() {
      lastMs = clock.now();
      if (stop !== undefined) return;
      firstMs = lastMs;
      arm();
    },
    cancel() {
      stop?.();
      stop = undefined;
    },
  };
}
