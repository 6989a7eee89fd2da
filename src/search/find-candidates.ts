import type { ChunkFilter, Store, StoredChunk } from "../stores/store.ts";
import type { MeaningSide } from "./meaning.ts";

export interface CandidateRequest {
  /** Null where words do not take part. */
  readonly tokens: readonly string[] | null;
  readonly limit: number;
  readonly filter: ChunkFilter;
  /** Further keyword queries, for the notes that the question names: those must not depend on how many others match. */
  readonly named?: readonly NamedQuery[];
  /** Null where meaning does not take part. */
  readonly side: Pick<MeaningSide, "judge" | "candidates"> | null;
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
  readonly isBehind: boolean;
}

/** Of a note that is written all the time, what was found last has to do. */
const mostLooks = 6;

/**
 * The chunks that hold words of the question or mean it. Between finding and reading them another process may replace
 * a document: then its chunks are gone, and what stands in their place has to be found too.
 */
export async function findCandidates(
  store: Pick<Store, "byKeyword" | "chunks">,
  { tokens, limit, filter, named = [], side }: CandidateRequest,
): Promise<Candidates> {
  for (let look = 1; ; look++) {
    const found = tokens === null ? [] : await store.byKeyword(tokens, { limit, filter });
    for (const query of tokens === null ? [] : named) {
      found.push(...(await store.byKeyword(query.tokens, { limit, filter: query.filter })));
    }
    const ids = [...new Set(found)];
    await side?.judge(ids);
    const candidates = await store.chunks([...new Set([...ids, ...(side?.candidates ?? [])])]);
    const read = new Set(candidates.map(({ id }) => id));
    const isBehind = !ids.every((id) => read.has(id));
    if (look === mostLooks || !isBehind) return { ids, candidates, isBehind };
  }
}
