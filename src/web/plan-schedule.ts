import type { Memory } from "../memory/memory.ts";

export interface PlanScheduleOptions {
  /** 0 is never. */
  readonly everyMs: number;
  /** Steps that wait for review, after each plan. */
  readonly onPlan: (steps: number) => void;
  readonly onProblem: (error: unknown) => void;
}

/** Makes a plan again and again, and only that: nothing is applied without a person. */
export function schedulePlans(
  { consolidation }: Pick<Memory, "consolidation">,
  { everyMs, onPlan, onProblem }: PlanScheduleOptions,
): AsyncDisposable {
  const closing = new AbortController();
  let running = Promise.resolve();
  const look = async (): Promise<void> => {
    try {
      onPlan((await consolidation.plan({ signal: closing.signal })).steps.length);
    } catch (error) {
      if (!closing.signal.aborted) onProblem(error);
    }
  };
  const timer = everyMs > 0 ? setInterval(() => (running = running.then(look)), everyMs) : undefined;
  timer?.unref();
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      closing.abort();
      await running;
    },
  };
}
