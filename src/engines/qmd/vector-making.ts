import { messageOf } from "../../errors.ts";
import type { OpenedDriver } from "./open-driver.ts";

/** The making of vectors that are missing: one run at a time, beside everything else. */
export interface VectorMaking {
  /** Does nothing while a run is under way. */
  start(driver: Pick<OpenedDriver, "embed">, signal: AbortSignal): void;
  done(): Promise<void>;
  /** What the last run could not do. */
  problem(): string | null;
}

/** A run that takes longer is stopped; the next goes on there. */
export function createVectorMaking({ timeoutMs }: { readonly timeoutMs: number }): VectorMaking {
  let running: Promise<void> | null = null;
  let problem: string | null = null;

  async function run(driver: Pick<OpenedDriver, "embed">, signal: AbortSignal): Promise<void> {
    try {
      await driver.embed({ timeoutMs, signal });
      problem = null;
    } catch (error) {
      const why = messageOf(error);
      problem = signal.aborted ? null : why;
    } finally {
      running = null;
    }
  }

  return {
    start(driver, signal) {
      running ??= run(driver, signal);
    },
    async done() {
      await running;
    },
    problem: () => problem,
  };
}
