import type { LineRange } from "../text/document.ts";
import { frontMatterLines, isNavigation, kindsOfLines, type LineKind } from "./line-kinds.ts";
import type { LineTable } from "./line-table.ts";
import type { Passage } from "./passages.ts";
import type { SupersededBy } from "./search.ts";

/** A passage with its scores. */
export interface RankedPassage {
  readonly passage: Passage;
  /** Its index among the passages that were ranked; one found by similarity is not the same object any more. */
  readonly index: number;
  /** Before temporal decay; compared with the floor. */
  readonly relevance: number;
  readonly score: number;
  readonly textScore: number | null;
  readonly vectorScore: number | null;
  readonly decay: number;
}

/** A hit without its snippet: the best passage of a neighbourhood, widened and merged. */
export interface HitDraft extends RankedPassage {
  lines: LineRange;
  /** Passages merged into this hit because they overlap or nearly touch it. */
  readonly joined: RankedPassage[];
  readonly isPointer: boolean;
  readonly supersededBy?: SupersededBy;
}

/** No hit grows beyond this many characters, about one chunk. */
const widest = 1600;
const firstWidth = 1000;
/** Limits for growing over list items, by rank. */
const itemWidths = [widest, widest, widest, 800];
/** How far to extend a hit that ends with a question: enough for a remark and the answer, within a few lines. */
const answerChars = 40;
const answerLines = 8;
/** A longer line has content of its own, even if it ends with a question. */
const longestQuestion = 120;
/** About what an agent reads at once. Later hits are pointers, so they name the whole neighbourhood. */
const readChars = 4000;

/**
 * Turns passages, best first, into hits.
 *
 * The first hit is shown with its surroundings. Later ones grow only over list items and turns of a conversation,
 * where a single line says little; prose and code stay as they were found. Passages that overlap, or together are no
 * larger than a chunk, become one hit, so that near-copies do not fill the list.
 */
export function draftHits(
  ranked: readonly RankedPassage[],
  table: LineTable,
  maxResults: number,
): HitDraft[] {
  const drafts: HitDraft[] = [];
  for (const candidate of ranked) {
    // Passages after the last hit are too weak to widen earlier ones.
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

/** Grows over the lines of the chunk that `mayGrow` allows, given a line and the edge it is next to. */
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
    // Answers usually follow the question, so try the lines below first.
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
 * If the match is a question, the answer follows it, perhaps after a remark or in the next chunk. Only lines whose
 * text is known are added.
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
    // A one-word line may be just the speaker's name.
    if (/[\s\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u.test(text)) chars += text.length;
  }
  return { start: lines.start, end };
}

function isQuestion(line: string): boolean {
  return /[?？؟][\s"'”’»*_)\]]*$/.test(line);
}

/** Drops blank lines and navigation at both ends. */
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

/** Lines that two hits of a document both reach stay with the hit that had them first. */
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
