import { closedIndexError } from "../closed-index.ts";

type Methods = Readonly<Record<string, (...parameters: never[]) => Promise<unknown>>>;

/** Running calls are awaited when something closes; later ones are refused. */
export interface RunningCalls {
  /** The same methods, tracked. */
  watch<T extends object>(methods: T): T;
  close(): Promise<void>;
}

export function createRunningCalls(): RunningCalls {
  const running = new Set<Promise<unknown>>();
  let isClosed = false;

  const call = async (work: () => Promise<unknown>): Promise<unknown> => {
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
    watch: <T extends object>(methods: T): T => {
      const entries = Object.entries(methods as Methods).map(([name, method]) => [
        name,
        (...parameters: never[]) => call(() => method(...parameters)),
      ]);
      return Object.fromEntries(entries) as T;
    },
    close: async () => {
      isClosed = true;
      await Promise.allSettled([...running]);
    },
  };
}
