import type { ChunkFilter, Store, StoredChunk } from "../stores/store.ts";
import type { QueryTerm } from "./query-terms.ts";
import type { VectorResult } from "./semantic-search.ts";

interface CandidateRequest {
  /** Null without keyword search. */
  readonly tokens: readonly string[] | null;
  readonly limit: number;
  readonly filter: ChunkFilter;
  /** Extra keyword queries for the notes that the query names, so that other matches do not crowd them out. */
  readonly named?: readonly NamedQuery[];
  /** Null without semantic search. */
  readonly vectorResult: Pick<VectorResult, "loadScores" | "candidates"> | null;
}

export interface NamedQuery {
  readonly tokens: readonly string[];
  readonly filter: ChunkFilter;
}

interface Candidates {
  /** Keyword matches, best first. */
  readonly ids: readonly number[];
  /** Keyword and semantic matches. */
  readonly candidates: readonly StoredChunk[];
  /** Documents kept being replaced, so some of their chunks may be missing. */
  readonly isStale: boolean;
}

/** A note that is rewritten constantly must not keep a search from ending. */
const maxAttempts = 6;

/**
 * The chunks that match by keyword or by similarity. Another process may replace a document between finding and
 * reading its chunks; then the search for candidates is repeated.
 */
export async function findCandidates(
  store: Pick<Store, "byKeyword" | "chunks">,
  { tokens, limit, filter, named = [], vectorResult }: CandidateRequest,
): Promise<Candidates> {
  for (let attempt = 1; ; attempt++) {
    const queries = tokens === null ? [] : [{ tokens, filter }, ...named];
    const found = await Promise.all(
      queries.map((query) => store.byKeyword(query.tokens, { limit, filter: query.filter })),
    );
    const ids = [...new Set(found.flat())];
    const [candidates] = await Promise.all([
      store.chunks([...new Set([...ids, ...(vectorResult?.candidates ?? [])])]),
      vectorResult?.loadScores(ids),
    ]);
    const read = new Set(candidates.map(({ id }) => id));
    const isStale = !ids.every((id) => read.has(id));
    if (attempt === maxAttempts || !isStale) return { ids, candidates, isStale };
  }
}

/**
 * The cost of a full-text query grows with its postings. The rarest words select the candidates, and more common ones
 * are added up to this limit; scoring uses every word.
 */
const maxPostings = 150_000;

/** The tokens to query the index for, joined by OR. */
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
