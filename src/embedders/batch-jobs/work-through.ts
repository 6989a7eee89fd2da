export interface Steps<Job> {
  /** The next of those that must be begun; null when there is none. */
  readonly beginNext: () => Promise<Job | null>;
  readonly settle: (job: Job) => Promise<void>;
}

/** Settles the known jobs and then new ones, several at once. After a failure none is begun, and all are waited for. */
export async function workThrough<Job>(
  known: readonly Job[],
  { beginNext, settle }: Steps<Job>,
  concurrency: number,
): Promise<void> {
  const queue = [...known];
  const failures: unknown[] = [];
  let choosing: Promise<unknown> = Promise.resolve();
  const next = (): Promise<Job | null> => {
    // One at a time: each must see which texts the others have taken.
    const chosen = choosing.then(() => queue.shift() ?? beginNext());
    choosing = chosen.catch(() => {});
    return chosen;
  };
  const work = async (): Promise<void> => {
    while (failures.length === 0) {
      const job = await next();
      if (job === null) return;
      await settle(job);
    }
  };
  await Promise.all(
    Array.from({ length: concurrency }, () => work().catch((error: unknown) => failures.push(error))),
  );
  if (failures.length > 0) throw failures[0];
}
