import { countUnits, unitsOf, unitsPerToken } from "./chunk-units.ts";
import type { Chunk, Chunker } from "./document.ts";
import { sha256 } from "./hash.ts";
import { breakAt, type Heading, lineEnd, type Outline, outlineMarkdown } from "./markdown.ts";
import { once } from "./once.ts";

export interface ChunkerOptions {
  /** The maximum size of a chunk; `chunk-units.ts` defines tokens. */
  readonly tokens: number;
  /** The maximum overlap of a chunk with the one before it. */
  readonly overlap: number;
}

/**
 * Splits Markdown into runs of whole lines. A chunk is filled to the limit and then ends at the best break in its
 * second half: a heading (the higher the better), a paragraph, a list item, any line. So short sections share a chunk,
 * and a long one starts its own. The end of a chunk is repeated in the next if it belongs to it.
 */
export function createChunker({ tokens, overlap }: ChunkerOptions): Chunker {
  const limit = tokens * unitsPerToken;
  // With more than half, chunks would contain more old text than new.
  const overlapLimit = Math.min(overlap * unitsPerToken, Math.floor(limit / 2));
  return {
    id: `markdown-1:${tokens}:${overlap}`,
    chunk(text) {
      const outline = outlineMarkdown(text, limit);
      const runs = cutLines(outline, limit, overlapLimit);
      return makeChunks(text, outline, runs, limit);
    },
  };
}

/** Lines `first..end` (from 0, `end` exclusive). A single line may be over the limit and is cut afterwards. */
interface Run {
  readonly first: number;
  readonly end: number;
}

function cutLines(outline: Outline, limit: number, overlapLimit: number): Run[] {
  const { count, breaks } = outline;
  const runs: Run[] = [];
  let previous: Run | undefined;
  for (let first = skipBlank(breaks, 0); first < count; ) {
    let run: Run;
    if (isOver(outline, first, limit)) {
      run = { first, end: first + 1 };
    } else {
      const from = previous ? findOverlap(outline, previous, first, overlapLimit) : first;
      const repeated = findBreak(outline, from, first, limit);
      // If the overlap would force a worse break (inside a block, or after a small chunk), it is left out.
      run = repeated.isGood
        ? { first: from, end: repeated.end }
        : { first, end: findBreak(outline, first, first, limit).end };
    }
    runs.push(run);
    previous = run;
    first = skipBlank(breaks, run.end);
  }
  return runs;
}

/** Where the chunk that starts at line `from` ends; it always contains line `first`, the first new one. */
function findBreak(
  outline: Outline,
  from: number,
  first: number,
  limit: number,
): { end: number; isGood: boolean } {
  const { count, units, breaks } = outline;
  let fitting = first;
  while (fitting < count && units[fitting + 1]! - units[from]! - 1 <= limit) fitting++;
  if (fitting === first) return { end: first + 1, isGood: false };
  const end = skipBlank(breaks, fitting);
  if (end === count || isOver(outline, end, limit)) return { end, isGood: true };

  let best = -1;
  let worth = breakAt.afterHeading;
  let line = end;
  for (; line > first && units[line]! - units[from]! - 1 >= limit / 2; line--) {
    if (breaks[line]! > worth) {
      worth = breaks[line]!;
      best = line;
    }
  }
  if (best >= 0) return { end: best, isGood: true };
  // A block that should stay whole fills the second half, so the chunk ends before it although it is small.
  for (; line > first; line--) if (breaks[line]! > breakAt.afterHeading) return { end: line, isGood: false };
  for (line = end; line > first; line--) {
    if (breaks[line] === breakAt.afterHeading) return { end: line, isGood: false };
  }
  return { end: fitting, isGood: false };
}

/**
 * The first line to repeat from the previous chunk. The end of a section helps the text that continues it, but not the
 * next section: before a new section, only whole sections at its level or above are repeated, such as a question before
 * its answer.
 */
function findOverlap({ units, breaks }: Outline, previous: Run, first: number, overlapLimit: number): number {
  const opensSection = isHeading(breaks[first]!);
  const minWorth = opensSection ? breaks[first]! : breakAt.afterHeading;
  let from = first;
  for (let line = first - 1; line > previous.first; line--) {
    if (units[first]! - units[line]! - 1 > overlapLimit) break;
    if (breaks[line]! >= minWorth) from = line;
    if (isHeading(breaks[line]!) && !opensSection) break;
  }
  return from;
}

function makeChunks(text: string, outline: Outline, runs: readonly Run[], limit: number): Chunk[] {
  const { starts, breaks } = outline;
  const hasReturns = text.includes("\r\n");
  const headingsAt = createHeadingPath(outline.headings);
  const chunks: Chunk[] = [];
  for (const { first, end } of runs) {
    let last = end - 1;
    while (breaks[last] === breakAt.blank) last--;
    const raw = text.slice(starts[first], lineEnd(text, starts, last));
    const content = hasReturns ? raw.replaceAll("\r\n", "\n") : raw;
    const lines = { start: first + 1, end: last + 1 };
    const headings = headingsAt(first);
    const pieces = isOver(outline, first, limit) ? cutLine(content, limit).filter(isNotBlank) : [content];
    for (const piece of pieces) chunks.push({ lines, headings, text: piece, hash: sha256(piece) });
  }
  return chunks;
}

/** Called with increasing lines; each heading is visited once. */
function createHeadingPath(headings: readonly Heading[]): (line: number) => readonly string[] {
  const open: Heading[] = [];
  let next = 0;
  let path: readonly string[] = [];
  return (line) => {
    const before = next;
    for (; next < headings.length && headings[next]!.line <= line; next++) {
      while (open.length > 0 && open.at(-1)!.level >= headings[next]!.level) open.pop();
      open.push(headings[next]!);
    }
    if (next > before) path = open.map((heading) => heading.text).filter((title) => title !== "");
    return path;
  };
}

function isOver({ units }: Outline, line: number, limit: number): boolean {
  return units[line + 1]! - units[line]! - 1 > limit;
}

function isHeading(worth: number): boolean {
  return worth > breakAt.paragraph;
}

function isNotBlank(text: string): boolean {
  return text.trim() !== "";
}

function skipBlank(breaks: Uint8Array, line: number): number {
  let at = line;
  while (at < breaks.length && breaks[at] === breakAt.blank) at++;
  return at;
}

/**
 * Splits a line over the limit into pieces of about equal size; joined, they are the line again. A piece ends after a
 * sentence if one ends nearby, otherwise after white space, otherwise between two visible characters. Each piece
 * examines only its own characters, so the time is linear.
 */
function cutLine(line: string, limitUnits: number): string[] {
  const pieces: string[] = [];
  let start = 0;
  let rest = countUnits(line, 0, line.length);
  while (rest > limitUnits) {
    const target = rest / Math.ceil(rest / limitUnits);
    const end = findCut(line, start, target, limitUnits);
    pieces.push(line.slice(start, end));
    rest -= countUnits(line, start, end);
    start = end;
  }
  pieces.push(line.slice(start));
  return pieces;
}

/** The best place between 3/4 and 5/4 of the target size; of equally good ones, the nearest to the target. */
function findCut(line: string, start: number, target: number, limitUnits: number): number {
  let best = -1;
  let bestGoodness = 0;
  let bestDistance = Number.POSITIVE_INFINITY;
  let units = 0;
  for (let at = start; at < line.length; ) {
    const width = codePointWidth(line, at);
    for (let part = 0; part < width; part++) units += unitsOf(line.charCodeAt(at + part));
    if (units > limitUnits && at > start) break;
    if (units > target * 1.25 && best >= 0) break;
    at += width;
    if (units < target * 0.75) {
      best = at;
      continue;
    }
    const goodness = cutGoodness(line, at);
    const distance = Math.abs(units - target);
    if (goodness > bestGoodness || (goodness === bestGoodness && distance < bestDistance) || best < 0) {
      best = at;
      bestGoodness = goodness;
      bestDistance = distance;
    }
  }
  return best;
}

function codePointWidth(text: string, at: number): number {
  const isPair = (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
  return isPair ? 2 : 1;
}

/** 3 after a sentence, 2 after white space, 1 between characters, 0 inside one (before a mark or around a joiner). */
function cutGoodness(text: string, at: number): number {
  const before = text.charCodeAt(at - 1);
  if (isWideStop(before)) return 3;
  if (before === 32 || before === 9) {
    const last = text.charCodeAt(at - 2);
    return last === 46 || last === 33 || last === 63 ? 3 : 2;
  }
  if (text.charCodeAt(at) < 0x300) return 1;
  if (before === 0x200d || joinsBefore().test(String.fromCodePoint(text.codePointAt(at)!))) return 0;
  return 1;
}

/** Combining marks and variation selectors, the joiner of emoji, skin tones. */
const joinsBefore = once(() => /^(?:\p{M}|\u200d|[\u{1f3fb}-\u{1f3ff}])/u);

/** `。`, `．`, `！`, `？`, `；` and the Devanagari stop end a sentence without a space after them. */
function isWideStop(code: number): boolean {
  return (
    code === 0x3002 ||
    code === 0xff0e ||
    code === 0xff01 ||
    code === 0xff1f ||
    code === 0xff1b ||
    code === 0x0964
  );
}
