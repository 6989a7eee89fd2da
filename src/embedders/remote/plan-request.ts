export interface RequestLimits {
  readonly items: number;
  readonly tokens: number;
}

export interface WaitingTexts {
  /** The first text of the request. */
  readonly start: number;
  /** How many texts there are. */
  readonly count: number;
  /** Asked in order, and not beyond what is needed. */
  readonly tokensOf: (at: number) => number;
}

/** Where a request ends (exclusive): as many texts as fit, in their order, and one at least. */
export function endOfRequest({ start, count, tokensOf }: WaitingTexts, limits: RequestLimits): number {
  let tokens = 0;
  for (let at = start; at < count; at++) {
    if (at > start && at - start >= limits.items) return at;
    tokens += tokensOf(at);
    if (at > start && tokens > limits.tokens) return at;
  }
  return count;
}
