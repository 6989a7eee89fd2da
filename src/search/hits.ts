import type { StoredChunk } from "../stores/store.ts";
import type { LineRange } from "../text/document.ts";
import type { Passage } from "./passages.ts";

/** A passage with all that made its place in the order. */
export interface RankedPassage {
  readonly passage: Passage;
  readonly score: number;
  readonly textScore: number | null;
  readonly vectorScore: number | null;
  readonly decay: number;
}

/** A hit before its snippet: the best passage of a neighbourhood, with its lines widened and joined. */
export interface HitDraft extends RankedPassage {
  lines: LineRange;
  /** Passages that were joined into this hit because they overlap or nearly touch it. */
  readonly joined: RankedPassage[];
}

/**
 * How far a hit is widened by the lines around its passage, in characters, by rank: the first hits are read, the later
 * ones are pointers, and all together must fit into what an agent takes in.
 */
const widths = [1200, 700, 500, 350];
/** Hits of one document this close, in lines, are joined while the result stays readable. */
const nearLines = 3;
const maxJoinedChars = 1200;

/** Best first. Overlap between chunks and neighbouring passages must not fill the list with near-copies. */
export function draftHits(
  ranked: readonly RankedPassage[],
  lineText: LineText,
  maxResults: number,
): HitDraft[] {
  const drafts: HitDraft[] = [];
  for (const candidate of ranked) {
    const { chunk, lines } = candidate.passage;
    const sizeOf = ({ start, end }: LineRange): number => {
      let chars = 0;
      for (let line = start; line <= end; line++) chars += lineText(chunk, line).length + 1;
      return chars;
    };
    const width = widths[Math.min(drafts.length, widths.length - 1)]!;
    const wide = trim(chunk, widen(candidate.passage, width, lineText), lineText);
    const near = drafts.find((draft) => {
      if (draft.passage.chunk.path !== chunk.path || draft.passage.chunk.source !== chunk.source)
        return false;
      const gap = Math.max(wide.start - draft.lines.end, draft.lines.start - wide.end);
      return gap <= 0 || (gap <= nearLines && sizeOf(unionOf(draft.lines, wide)) <= maxJoinedChars);
    });
    if (near) {
      if (!contains(near.lines, lines)) near.lines = clip(unionOf(near.lines, wide), near, drafts);
      near.joined.push(candidate);
    } else if (drafts.length < maxResults) {
      drafts.push({ ...candidate, lines: wide, joined: [] });
    }
  }
  return drafts;
}

export type LineText = (chunk: StoredChunk, line: number) => string;

function widen({ chunk, lines }: Passage, maxChars: number, lineText: LineText): LineRange {
  let { start, end } = lines;
  const sizeOf = (line: number): number =>
    line < chunk.lines.start || line > chunk.lines.end
      ? Number.POSITIVE_INFINITY
      : lineText(chunk, line).length + 1;
  let used = 0;
  for (let line = start; line <= end; line++) used += sizeOf(line);
  for (;;) {
    const above = sizeOf(start - 1);
    const below = sizeOf(end + 1);
    // In notes as in talks the answer follows what was asked about, so the lines below go first.
    if (used + below <= maxChars && below <= 2 * above) {
      end++;
      used += below;
    } else if (used + above <= maxChars) {
      start--;
      used += above;
    } else if (used + below <= maxChars) {
      end++;
      used += below;
    } else return { start, end };
  }
}

/** Blank lines at the ends say nothing. */
function trim(chunk: StoredChunk, { start, end }: LineRange, lineText: LineText): LineRange {
  let first = start;
  let last = end;
  while (first < last && lineText(chunk, first).trim() === "") first++;
  while (last > first && lineText(chunk, last).trim() === "") last--;
  return { start: first, end: last };
}

function unionOf(left: LineRange, right: LineRange): LineRange {
  return { start: Math.min(left.start, right.start), end: Math.max(left.end, right.end) };
}

/** What two hits of one document both reach stays with the one that has it. */
function clip({ start, end }: LineRange, draft: HitDraft, drafts: readonly HitDraft[]): LineRange {
  const { path, source } = draft.passage.chunk;
  let [first, last] = [start, end];
  for (const { passage, lines } of drafts) {
    if (passage.chunk.path !== path || passage.chunk.source !== source) continue;
    if (lines.end < draft.lines.start) first = Math.max(first, lines.end + 1);
    if (lines.start > draft.lines.end) last = Math.min(last, lines.start - 1);
  }
  return { start: first, end: last };
}

function contains(outer: LineRange, inner: LineRange): boolean {
  return outer.start <= inner.start && outer.end >= inner.end;
}
