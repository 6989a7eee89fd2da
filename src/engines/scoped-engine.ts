import type { Engine } from "./engine.ts";

/** An engine that answers only in some sessions: in the others nothing is found, and the answer says why. */
export function scopedEngine(engine: Engine, isAllowed: (sessionKey: string | undefined) => boolean): Engine {
  return {
    ...engine,
    async search(query, options = {}) {
      if (isAllowed(options.sessionKey)) return await engine.search(query, options);
      return {
        results: [],
        confidence: 0,
        confidenceLevel: "low",
        mode: "keyword",
        provider: "none",
        model: null,
        degraded: ["memory.qmd.scope does not allow searches in this session"],
        stale: false,
      };
    },
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  };
}
