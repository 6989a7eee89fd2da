import { createTaskQueue } from "../../task-queue.ts";
import type { BatchTrouble, JobLedger, JobRecord } from "./batch-jobs.ts";

/** The pending jobs; each change is recorded before anything else happens. */
export interface JobLog {
  list(): readonly JobRecord[];
  put(job: JobRecord): Promise<void>;
  remove(name: string): Promise<void>;
}

export async function openJobLog(ledger: JobLedger): Promise<JobLog> {
  let jobs = await ledger.read();
  const queue = createTaskQueue();
  /**
   * One at a time, each based on what is recorded by then: a process that was paused must not overwrite jobs that
   * others have started meanwhile.
   */
  const write = async (change: (before: readonly JobRecord[]) => readonly JobRecord[]): Promise<void> => {
    await queue.run(async () => {
      jobs = change(await ledger.read());
      await ledger.write(jobs);
    });
  };
  return {
    list: () => jobs,
    put: (job) => write((before) => [...before.filter(({ name }) => name !== job.name), job]),
    remove: (gone) => write((before) => before.filter(({ name }) => name !== gone)),
  };
}

/** Counts consecutive failures; after two, no more jobs are started. */
export interface FailureCount {
  isBelowLimit(): boolean;
  fail(why: string, count?: number): void;
  /** It succeeded in the end; `note` says what went wrong in between. */
  succeed(note: string | null): void;
  /** Neither success nor failure yet. */
  note(why: string): void;
  trouble(): BatchTrouble;
}

export const failureLimit = 2;

export function createFailureCount(): FailureCount {
  let failures = 0;
  let last: string | null = null;
  return {
    isBelowLimit: () => failures < failureLimit,
    fail(why, count = 1) {
      failures += count;
      last = why;
    },
    succeed(note) {
      failures = 0;
      last = note;
    },
    note(why) {
      last = why;
    },
    trouble: () => ({ failures, limit: failureLimit, last }),
  };
}
