import type { Embedder } from "../embedders/embedder.ts";
import { LonghandError } from "../errors.ts";

/** Opens on first use, retries after a failure, and closes once. */
export function openOnce<T extends AsyncDisposable>(open: () => Promise<T>) {
  let opening: Promise<T> | undefined;
  let closing: Promise<void> | undefined;
  return {
    get: async (): Promise<T> => {
      if (closing) throw closedError();
      opening ??= open();
      try {
        return await opening;
      } catch (error) {
        opening = undefined;
        throw error;
      }
    },
    close: async (): Promise<void> => {
      closing ??= Promise.resolve(opening).then(
        (opened) => opened?.[Symbol.asyncDispose](),
        () => undefined,
      );
      await closing;
    },
  };
}

export function closedError(): LonghandError {
  return new LonghandError("aborted", "Could not use the memory: it is closed.", {
    hint: "Open it again with openMemory, and close it when no call is left.",
  });
}

/** The same embedder for a second user, which does not close it. */
export function borrow(embedder: Embedder): Embedder {
  return new Proxy(embedder, {
    get(target, key) {
      if (key === Symbol.asyncDispose) return async () => {};
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
