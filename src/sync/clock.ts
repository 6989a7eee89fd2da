/** Time as an argument. */
export interface Clock {
  nowMs(): number;
  /** Calls back once, unless what is given back is called before. */
  after(ms: number, then: () => void): () => void;
}

export const systemClock: Clock = {
  nowMs: () => performance.now(),
  after(ms, then) {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  },
};
