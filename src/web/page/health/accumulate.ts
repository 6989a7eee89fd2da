import type { Timeline } from "../api.ts";

export interface Growth {
  /** Seconds since 1970 of each day, as charts want them. */
  readonly days: readonly number[];
  readonly documents: readonly number[];
  readonly chunks: readonly number[];
}

/** How much there was up to each day, the oldest first. */
export function accumulate(points: Timeline["points"]): Growth {
  let [documents, chunks] = [0, 0];
  const rows = points.map((point) => {
    documents += point.notes + point.sessions;
    chunks += point.chunks;
    return { day: Date.parse(`${point.date}T00:00:00Z`) / 1000, documents, chunks };
  });
  return {
    days: rows.map(({ day }) => day),
    documents: rows.map((row) => row.documents),
    chunks: rows.map((row) => row.chunks),
  };
}
