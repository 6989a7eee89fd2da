import type { WorkerJob } from "./processes.ts";

/** What a worker process gives to the work that it does. */
export interface Setting {
  readonly job: WorkerJob;
  readonly random: () => number;
  readonly name: string;
  /** False when there was enough of it. */
  goesOn(round: number): boolean;
  /** Acknowledges something, at once. */
  say(value: unknown): void;
}
