import type { Range } from "../search/query-matches.ts";

/** Applies `mark` to the ranges of the text. Ranges may overlap and come in any order. */
export function markRanges(text: string, ranges: readonly Range[], mark: (part: string) => string): string {
  let marked = "";
  let end = 0;
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const start = Math.max(from, end);
    if (start >= to) continue;
    marked += text.slice(end, start) + mark(text.slice(start, to));
    end = to;
  }
  return marked + text.slice(end);
}
