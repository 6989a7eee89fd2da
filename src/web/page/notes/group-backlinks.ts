import type { Backlink } from "../../../text/link-graph.ts";

/** Groups backlinks by note: topics first, in the given order, then daily notes, newest first. */
export function groupBacklinks(backlinks: readonly Backlink[]): [path: string, own: Backlink[]][] {
  const groups = [...Map.groupBy(backlinks, ({ path }) => path)];
  const days = groups.filter(([path]) => dayOf(path) !== "");
  const topics = groups.filter(([path]) => dayOf(path) === "");
  return [...topics, ...days.sort(([left], [right]) => (dayOf(left) < dayOf(right) ? 1 : -1))];
}

function dayOf(path: string): string {
  return /\d{4}-\d{2}-\d{2}(?=[^/]*$)/.exec(path)?.[0] ?? "";
}
