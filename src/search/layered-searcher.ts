import { messageOf } from "../errors.ts";
import { isUserPath, pathInLayer } from "../text/layer-path.ts";
import { isSharedSession } from "../text/session-key.ts";
import { joinStores, type SearchedStore } from "./join-stores.ts";
import type { SearchAnswer, Searcher, SearchHit, SearchOptions } from "./search.ts";
import { createSearcher, type SearcherParts } from "./searcher.ts";

/** The index of the user's memory, beside that of the project. */
export interface UserLayer {
  readonly store: SearchedStore;
  /** Gives the index a chance to catch up with the notes, for as long as a search waits. */
  freshen(
    request: Pick<SearchOptions, "signal" | "progress">,
  ): Promise<Pick<SearchAnswer, "stale" | "degraded">>;
  /** The day on which a note was last written. */
  readonly dayModified: NonNullable<SearcherParts["dayModified"]>;
  /** Paths in its index whose notes have vanished. */
  pendingRemovals(): Promise<ReadonlySet<string>>;
}

/** Null while there is no user's memory. */
export type OpenUserLayer = () => Promise<UserLayer | null>;

/**
 * Searches the project and, where there is one, the user's memory as one. Whoever shares a session with others gets the
 * project alone: not even how often a word is in private notes may show in a score.
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
      // A question that is wrong itself is refused here, too.
      const own = await alone.search(query, request);
      return problem === null ? own : { ...own, degraded: [...own.degraded, problem] };
    },
  };
}

export function labelLayer(hit: SearchHit): SearchHit {
  return { ...hit, layer: isUserPath(hit.path) ? "user" : "project" };
}
