import type { QueryTerm } from "./query-terms.ts";

/**
 * The time of a full-text query grows with the chunks that its words stand in. The rarest words choose the candidates,
 * commoner ones join in while all together stay below this; every word counts in the score afterwards.
 */
const maxPostings = 150_000;

/** The tokens to ask the index for: any of them may match. */
export function candidateTokens(terms: readonly QueryTerm[]): string[] {
  const tokens: string[] = [];
  let postings = 0;
  for (const { forms, chunks } of [...terms].sort((left, right) => left.chunks - right.chunks)) {
    if (chunks === 0) continue;
    postings += chunks;
    if (postings > maxPostings && tokens.length > 0) break;
    tokens.push(...forms.keys());
  }
  return tokens;
}
