/**
 * Work of which one run at a time is enough. Calls during a run share one more run after it, so nothing is asked twice
 * at once, and what comes last is never older than the last call.
 */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const run = (): Promise<void> => {
    running = work().finally(() => {
      running = null;
    });
    return running;
  };
  return () => {
    if (running === null) return run();
    const again = (): Promise<void> => {
      next = null;
      return run();
    };
    next ??= running.then(again, again);
    return next;
  };
}
