import { messageOf } from "../errors.ts";
import { isUserPath, pathInLayer } from "../text/layer-path.ts";
import { isSharedSession } from "../text/session-key.ts";
import { joinStores, type SearchedStore } from "./join-stores.ts";
import type { SearchAnswer, Searcher, SearchHit, SearchOptions } from "./search.ts";
import { createSearcher, type SearcherParts } from "./searcher.ts";

/** The index of the user's memory, searched together with the project's. */
export interface UserLayer {
  readonly store: SearchedStore;
  /** Lets the index catch up with the notes, for as long as a search waits. */
  freshen(
    request: Pick<SearchOptions, "signal" | "progress">,
  ): Promise<Pick<SearchAnswer, "stale" | "degraded">>;
  /** The day a note was last modified. */
  readonly dayModified: NonNullable<SearcherParts["dayModified"]>;
  /** Indexed paths whose notes have vanished and await removal. */
  pendingRemovals(): Promise<ReadonlySet<string>>;
}

/** Null if the user has no memory. */
export type OpenUserLayer = () => Promise<UserLayer | null>;

/**
 * Searches the project's and the user's memory as one. A shared session searches the project alone: not even the word
 * frequencies of private notes may influence its scores.
 */
export function createLayeredSearcher(parts: SearcherParts, openUserLayer: OpenUserLayer): Searcher {
  const alone = createSearcher(parts);
  const joined = new WeakMap<SearchedStore, Searcher>();

  function searcherWith({ store, dayModified }: UserLayer): Searcher {
    const known = joined.get(store);
    if (known !== undefined) return known;
    const searcher = createSearcher({
      ...parts,
      store: joinStores(parts.store, store),
      dayModified: (path) => (isUserPath(path) ? dayModified(pathInLayer(path)) : parts.dayModified?.(path)),
    });
    joined.set(store, searcher);
    return searcher;
  }

  async function searchBoth(query: string, request: SearchOptions): Promise<SearchAnswer | null> {
    const user = await openUserLayer();
    if (user === null) return null;
    const { stale, degraded } = await user.freshen(request);
    const answer = await searcherWith(user).search(query, request);
    const pending = await user.pendingRemovals();
    return {
      ...answer,
      results: answer.results
        .filter(({ path }) => !isUserPath(path) || !pending.has(pathInLayer(path)))
        .map(labelLayer),
      stale: answer.stale || stale,
      degraded: [...degraded, ...answer.degraded],
    };
  }

  return {
    async search(query, request = {}) {
      if (request.scope === "project" || isSharedSession(request.sessionKey))
        return await alone.search(query, request);
      let problem: string | null = null;
      const answer = await searchBoth(query, request).catch((error: unknown) => {
        problem = `the user's memory cannot be searched: ${messageOf(error)}`;
        return null;
      });
      if (answer !== null) return answer;
      // Also rejects invalid queries.
      const own = await alone.search(query, request);
      return problem === null ? own : { ...own, degraded: [...own.degraded, problem] };
    },
  };
}

export function labelLayer(hit: SearchHit): SearchHit {
  return { ...hit, layer: isUserPath(hit.path) ? "user" : "project" };
}
