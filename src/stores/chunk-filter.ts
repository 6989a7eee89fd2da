import type { ChunkFilter } from "./store.ts";

/** Whether a filter can leave out any chunk. */
export function isFiltering(filter: ChunkFilter | undefined): filter is ChunkFilter {
  return (
    filter !== undefined && Object.values(filter).some((value) => value !== undefined && value !== false)
  );
}

/** A valid LIMIT. SQLite would treat a negative one as none. */
export function atMost(limit: number): number {
  return Number.isNaN(limit) ? 0 : Math.trunc(Math.min(Math.max(limit, 0), 2 ** 31 - 1));
}
