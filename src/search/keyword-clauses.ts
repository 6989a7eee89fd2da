import type { KeywordClause } from "../stores/store.ts";
import type { QueryTerm } from "./query-terms.ts";

/**
 * The time of a full-text query grows with the chunks that its words stand in. The rarest words choose the candidates,
 * commoner ones join in while all together stay below this; every word counts in the score afterwards.
 */
const maxPostings = 150_000;

/** What to ask the index for: any of these may match. */
export function keywordClauses(terms: readonly QueryTerm[]): KeywordClause[] {
  const clauses: KeywordClause[] = [];
  let postings = 0;
  for (const { forms, chunks } of [...terms].sort((left, right) => left.chunks - right.chunks)) {
    if (chunks === 0) continue;
    postings += chunks;
    if (postings > maxPostings && clauses.length > 0) break;
    for (const token of forms.keys()) clauses.push({ tokens: [token] });
  }
  return clauses;
}
