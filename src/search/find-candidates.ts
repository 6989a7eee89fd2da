import type { ChunkFilter, Store, StoredChunk } from "../stores/store.ts";
import type { QueryTerm } from "./query-terms.ts";
import type { VectorResult } from "./semantic-search.ts";

export interface CandidateRequest {
  /** Null where words do not take part. */
  readonly tokens: readonly string[] | null;
  readonly limit: number;
  readonly filter: ChunkFilter;
  /** Further keyword queries, for the notes that the question names: those must not depend on how many others match. */
  readonly named?: readonly NamedQuery[];
  /** Null where meaning does not take part. */
  readonly vectorResult: Pick<VectorResult, "loadScores" | "candidates"> | null;
}

export interface NamedQuery {
  readonly tokens: readonly string[];
  readonly filter: ChunkFilter;
}

export interface Candidates {
  /** Found by word, best first. */
  readonly ids: readonly number[];
  /** Found by word or by meaning. */
  readonly candidates: readonly StoredChunk[];
  /** A document was replaced at each look, so that chunks of it may be missing. */
  readonly isStale: boolean;
}

/** Of a note that is written all the time, what was found last has to do. */
const maxAttempts = 6;

/**
 * The chunks that hold words of the question or mean it. Between finding and reading them another process may replace
 * a document: then its chunks are gone, and what stands in their place has to be found too.
 */
export async function findCandidates(
  store: Pick<Store, "byKeyword" | "chunks">,
  { tokens, limit, filter, named = [], vectorResult }: CandidateRequest,
): Promise<Candidates> {
  for (let attempt = 1; ; attempt++) {
    const found = tokens === null ? [] : await store.byKeyword(tokens, { limit, filter });
    for (const query of tokens === null ? [] : named) {
      found.push(...(await store.byKeyword(query.tokens, { limit, filter: query.filter })));
    }
    const ids = [...new Set(found)];
    await vectorResult?.loadScores(ids);
    const candidates = await store.chunks([...new Set([...ids, ...(vectorResult?.candidates ?? [])])]);
    const read = new Set(candidates.map(({ id }) => id));
    const isStale = !ids.every((id) => read.has(id));
    if (attempt === maxAttempts || !isStale) return { ids, candidates, isStale };
  }
}

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
