/**
 * Coalesces calls: at most one run at a time, and all calls during a run share one more run after it. Nothing runs
 * twice at once, and the last result is never older than the last call.
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
