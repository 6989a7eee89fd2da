import type { Embedder } from "../embedders/embedder.ts";

/** The same embedder for a second user, who does not close it. */
export function borrow(embedder: Embedder): Embedder {
  return new Proxy(embedder, {
    get(target, key) {
      if (key === Symbol.asyncDispose) return async () => {};
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
