import type { DocumentSummary } from "../stores/store.ts";

export interface TimelineCounts {
  readonly notes: number;
  readonly sessions: number;
  readonly chunks: number;
}

export interface Timeline {
  readonly by: "day" | "month";
  /** Oldest first; days without documents are left out. */
  readonly points: readonly (TimelineCounts & { readonly date: string })[];
  readonly undated: TimelineCounts;
}

/** The number of documents and chunks per day (`YYYY-MM-DD`) or month (`YYYY-MM`). */
export function timelineOf(documents: readonly DocumentSummary[], by: Timeline["by"]): Timeline {
  const length = by === "day" ? "YYYY-MM-DD".length : "YYYY-MM".length;
  const groups = Map.groupBy(documents, ({ date }) => date?.slice(0, length));
  const dated = [...groups].flatMap(([date, group]) =>
    date === undefined ? [] : [{ date, ...countAll(group) }],
  );
  return {
    by,
    points: dated.sort((left, right) => (left.date < right.date ? -1 : 1)),
    undated: countAll(groups.get(undefined) ?? []),
  };
}

function countAll(documents: readonly DocumentSummary[]): TimelineCounts {
  const notes = documents.filter(({ source }) => source === "memory").length;
  const chunks = documents.reduce((sum, each) => sum + each.chunks, 0);
  return { notes, sessions: documents.length - notes, chunks };
}
