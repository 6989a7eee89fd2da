import type { BatchTrouble } from "./batch-jobs.ts";

/** Counts failures in a row; with two, no job is begun any more. */
export interface FailureCount {
  isBelowLimit(): boolean;
  fail(why: string, count?: number): void;
  /** It went well in the end; `note` says what was not as it should be. */
  succeed(note: string | null): void;
  /** Neither well nor badly yet. */
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
