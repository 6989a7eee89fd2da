import { LonghandError } from "../errors.ts";

type Methods = Readonly<Record<string, (...parameters: never[]) => Promise<unknown>>>;

/** Running calls are awaited when something closes; later ones are refused. */
export function createRunningCalls() {
  const running = new Set<Promise<unknown>>();
  let isClosed = false;

  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    if (isClosed) throw closedIndexError();
    const result = work();
    running.add(result);
    try {
      return await result;
    } finally {
      running.delete(result);
    }
  };

  return {
    run,
    /** The same methods, tracked. */
    watch: <T extends object>(methods: T): T => {
      const entries = Object.entries(methods as Methods).map(([name, method]) => [
        name,
        (...parameters: never[]) => run(() => method(...parameters)),
      ]);
      return Object.fromEntries(entries) as T;
    },
    close: async (): Promise<void> => {
      isClosed = true;
      await Promise.allSettled([...running]);
    },
  };
}

/** For a call that comes, or is still running, when its index is closed: nothing is wrong with the index itself. */
export function closedIndexError(): LonghandError {
  return new LonghandError("aborted", "Could not use the index: it is closed.", {
    hint: "Open the memory again with openMemory, and close it when no call is left.",
  });
}
