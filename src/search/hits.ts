import type { LineRange } from "../text/document.ts";
import { frontMatterLines, isNavigation, kindsOfLines, type LineKind } from "./line-kinds.ts";
import type { LineTable } from "./line-table.ts";
import type { Passage } from "./passages.ts";
import type { SupersededBy } from "./search.ts";

/** A passage with all that made its place in the order. */
export interface RankedPassage {
  readonly passage: Passage;
  /** Before age counts: what the floor is compared with. */
  readonly relevance: number;
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
  readonly isPointer: boolean;
  readonly supersededBy?: SupersededBy;
}

/** No hit is widened or joined beyond this many characters: about one chunk. */
const widest = 1600;
const firstWidth = 1000;
/** Over list items, by rank. */
const itemWidths = [widest, widest, widest, 800];
/** Of what follows a question: enough for a remark and the answer, never more than so many lines. */
const answerChars = 40;
const answerLines = 8;
/** A longer line tells something itself, though it ends by asking. */
const longestQuestion = 120;
/** What an agent reads at once. Hits behind it are pointers to look into, so they name the whole neighbourhood. */
const readChars = 4000;

/**
 * Turns passages, best first, into hits.
 *
 * The first hit is shown with what stands around it. Later ones grow only where a line alone says little: over list
 * items and the turns of a talk; a passage of prose or code stays as sharp as it was found. What overlaps, or together
 * is no larger than a chunk, becomes one hit: overlap between chunks and neighbouring passages must not fill the list
 * with near-copies.
 */
export function draftHits(
  ranked: readonly RankedPassage[],
  table: LineTable,
  maxResults: number,
): HitDraft[] {
  const drafts: HitDraft[] = [];
  for (const candidate of ranked) {
    // Passages behind the last hit are too weak to widen those before it.
    if (drafts.length >= maxResults) break;
    const { chunk, lines } = candidate.passage;
    const sizeOf = (range: LineRange): number => table.sizeOf(chunk, range);
    const siblings = drafts.filter(
      ({ passage }) => passage.chunk.path === chunk.path && passage.chunk.source === chunk.source,
    );
    const readSoFar = drafts.reduce((sum, draft) => sum + table.sizeOf(draft.passage.chunk, draft.lines), 0);
    const isPointer = readSoFar >= readChars;
    const grown = widenByRank(candidate.passage, drafts.length, isPointer, table);
    const widened = withAnswer(trim(grown, chunk, table), candidate.passage, table);
    const wide = isPointer ? clip(widened, lines, siblings) : widened;
    const home = siblings.find((draft) => {
      if (overlap(draft.lines, lines)) return true;
      if (isPointer !== draft.isPointer) return isPointer && overlap(draft.lines, wider(lines, 1));
      return overlap(draft.lines, wide) || sizeOf(unionOf(draft.lines, wide)) <= widest;
    });
    if (home) {
      const reach = home.isPointer === isPointer ? wide : lines;
      const others = siblings.filter((draft) => draft !== home);
      home.lines = clip(unionOf(home.lines, reach), home.lines, others);
      home.joined.push(candidate);
    } else {
      drafts.push({ ...candidate, lines: wide, joined: [], isPointer });
    }
  }
  return drafts;
}

function widenByRank(passage: Passage, rank: number, isPointer: boolean, table: LineTable): LineRange {
  if (isPointer) return widen(passage, widest, table, () => true);
  if (rank === 0) return widen(passage, firstWidth, table, () => true);
  const kinds = kindsOfLines(passage.chunk.text.split("\n"));
  const kindAt = (line: number): LineKind | undefined => kinds[line - passage.chunk.lines.start];
  const isFellow = (line: number, edge: number): boolean => {
    const [left, right] = [kindAt(line), kindAt(edge)];
    return left?.isItem === true && right?.isItem === true && left.section === right.section;
  };
  return widen(passage, itemWidths[Math.min(rank, itemWidths.length - 1)]!, table, isFellow);
}

/** Grows over the lines of the chunk that `mayGrow` allows, given a line and the edge that it would follow. */
function widen(
  { chunk, lines }: Passage,
  maxChars: number,
  table: LineTable,
  mayGrow: (line: number, edge: number) => boolean,
): LineRange {
  let { start, end } = lines;
  let used = table.sizeOf(chunk, lines);
  const textStart = chunk.lines.start + frontMatterLines(chunk);
  const first = start >= textStart ? textStart : chunk.lines.start;
  const costOf = (line: number, edge: number): number =>
    line < first || line > chunk.lines.end || !mayGrow(line, edge)
      ? Number.POSITIVE_INFINITY
      : table.sizeOf(chunk, { start: line, end: line });
  for (;;) {
    const above = costOf(start - 1, start);
    const below = costOf(end + 1, end);
    // In notes as in talks the answer follows what was asked about, so the lines below go first.
    const goesDown = used + below <= maxChars && (below <= 2 * above || used + above > maxChars);
    if (goesDown) {
      end++;
      used += below;
    } else if (used + above <= maxChars) {
      start--;
      used += above;
    } else return { start, end };
  }
}

/**
 * Where a question is what matched, the answer follows below it: perhaps after a remark, perhaps in the next chunk. Only
 * lines whose text is known are taken.
 */
function withAnswer(lines: LineRange, { chunk, lines: core }: Passage, table: LineTable): LineRange {
  const asked = table.lineText(chunk, lines.end);
  if (lines.end !== core.end || asked.length > longestQuestion || !isQuestion(asked)) return lines;
  const reach = table.connected(chunk, lines, { start: lines.start, end: lines.end + answerLines });
  let { end } = lines;
  for (let line = end + 1, chars = 0; line <= reach.end && chars < answerChars; line++) {
    const text = table.lineText(chunk, line).trim();
    if (text === "") continue;
    end = line;
    // A line of one word may just name the speaker.
    if (/[\s\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u.test(text)) chars += text.length;
  }
  return { start: lines.start, end };
}

function isQuestion(line: string): boolean {
  return /[?？؟][\s"'”’»*_)\]]*$/.test(line);
}

/** Blank lines and navigation at the ends say nothing. */
function trim({ start, end }: LineRange, chunk: Passage["chunk"], { lineText }: LineTable): LineRange {
  let [first, last] = [start, end];
  const isQuiet = (line: number): boolean => {
    const text = lineText(chunk, line);
    return text.trim() === "" || isNavigation(text);
  };
  while (first < last && isQuiet(first)) first++;
  while (last > first && isQuiet(last)) last--;
  return { start: first, end: last };
}

/** What two hits of one document both reach stays with the one that has it. */
function clip({ start, end }: LineRange, core: LineRange, others: readonly HitDraft[]): LineRange {
  let [first, last] = [start, end];
  for (const { lines } of others) {
    if (lines.end < core.start) first = Math.max(first, lines.end + 1);
    if (lines.start > core.end) last = Math.min(last, lines.start - 1);
  }
  return { start: first, end: last };
}

function unionOf(left: LineRange, right: LineRange): LineRange {
  return { start: Math.min(left.start, right.start), end: Math.max(left.end, right.end) };
}

function overlap(left: LineRange, right: LineRange): boolean {
  return left.start <= right.end && right.start <= left.end;
}

function wider({ start, end }: LineRange, lines: number): LineRange {
  return { start: start - lines, end: end + lines };
}
