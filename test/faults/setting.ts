import type { WorkerJob } from "./processes.ts";

/** The context that a worker process gives to its work. */
export interface Setting {
  readonly job: WorkerJob;
  readonly random: () => number;
  readonly name: string;
  /** False if the work should stop. */
  goesOn(round: number): boolean;
  /** Acknowledges a result immediately. */
  say(value: unknown): void;
}
