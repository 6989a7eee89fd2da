export interface RequestLimits {
  readonly items: number;
  readonly tokens: number;
}

/**
 * Where a request that begins with the text `start` ends (exclusive): as many texts as fit, in their order, and one
 * at least.
 */
export function endOfRequest(tokenCounts: readonly number[], start: number, limits: RequestLimits): number {
  let tokens = 0;
  for (let at = start; at < tokenCounts.length; at++) {
    tokens += tokenCounts[at]!;
    if (at > start && (tokens > limits.tokens || at - start >= limits.items)) return at;
  }
  return tokenCounts.length;
}
