import type { Clock } from "../timing.ts";

interface DebounceOptions {
  /** How long there must be no hint. */
  readonly quietMs: number;
  /** The maximum wait after the first hint, for hints that never stop: a file that is appended to all day. */
  readonly maxWaitMs: number;
  readonly clock: Pick<Clock, "now" | "after">;
}

interface Debounce {
  /** Cheap to call: a hundred thousand hints cost one timer. */
  hint(): void;
  /** Drops pending hints. */
  cancel(): void;
}

/** Debounces: calls `then` when hints have stopped, or at the maximum wait. */
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
