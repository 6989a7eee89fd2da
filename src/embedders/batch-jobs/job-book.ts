import type { JobLedger, JobRecord } from "./batch-jobs.ts";

/** The jobs under way, each change of which is written down before anything else happens. */
export interface JobBook {
  list(): readonly JobRecord[];
  put(job: JobRecord): Promise<void>;
  remove(name: string): Promise<void>;
}

export async function openJobBook(ledger: JobLedger): Promise<JobBook> {
  let jobs = await ledger.read();
  let last: Promise<void> = Promise.resolve();
  /** One after the other: an older list must not replace a newer one. */
  const write = async (change: (before: readonly JobRecord[]) => readonly JobRecord[]): Promise<void> => {
    jobs = change(jobs);
    const written = jobs;
    last = last.then(() => ledger.write(written));
    await last;
  };
  return {
    list: () => jobs,
    put: (job) => write((before) => [...before.filter(({ name }) => name !== job.name), job]),
    remove: (gone) => write((before) => before.filter(({ name }) => name !== gone)),
  };
}
