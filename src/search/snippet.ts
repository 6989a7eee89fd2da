import type { LineRange } from "../text/document.ts";
import type { MatchFinder } from "./matches.ts";

export interface SnippetRequest {
  /** The text of a line; blank where no chunk has it. */
  readonly lineText: (line: number) => string;
  /** Lines of the hit, and among them those that matter most. */
  readonly lines: LineRange;
  readonly core: LineRange;
  readonly maxChars: number;
}

/**
 * The hit's own text: whole lines, the core first and its surroundings as far as they fit. A single line that is too
 * long is cut around the matched words. Always a piece of the note, letter by letter.
 */
export function makeSnippet(
  { lineText, lines, core, maxChars }: SnippetRequest,
  finder: MatchFinder,
): string {
  let { start, end } = core;
  const sizeOf = (line: number): number => lineText(line).length + 1;
  let used = -1;
  for (let line = start; line <= end; line++) used += sizeOf(line);
  while (used > maxChars && end > start) used -= sizeOf(end--);
  if (used > maxChars) return cutAroundMatches(lineText(start), maxChars, finder);
  for (let grew = true; grew; ) {
    grew = false;
    // What follows a match explains it more often than what stands before it.
    if (end < lines.end && used + sizeOf(end + 1) <= maxChars) {
      used += sizeOf(++end);
      grew = true;
    }
    if (start > lines.start && used + sizeOf(start - 1) <= maxChars) {
      used += sizeOf(--start);
      grew = true;
    }
  }
  const text: string[] = [];
  for (let line = start; line <= end; line++) text.push(lineText(line));
  return text.join("\n");
}

/** The stretch with the most different matched words, moved to word boundaries where there are any. */
function cutAroundMatches(text: string, maxChars: number, finder: MatchFinder): string {
  if (text.length <= maxChars) return text;
  const found = finder.positions(text);
  let best = { from: 0, to: 0, terms: 0 };
  for (let i = 0, j = 0; i < found.length; i++) {
    j = Math.max(j, i);
    while (j + 1 < found.length && found[j + 1]!.end - found[i]!.start <= maxChars) j++;
    const terms = new Set(found.slice(i, Math.min(j + 1, i + 64)).map(({ term }) => term)).size;
    if (terms > best.terms) best = { from: found[i]!.start, to: found[j]!.end, terms };
  }
  const slack = Math.max(0, maxChars - (best.to - best.from));
  let start = Math.max(0, Math.min(best.from - Math.floor(slack / 3), text.length - maxChars));
  let end = Math.min(text.length, start + maxChars);
  const blankAfterStart = start === 0 ? -1 : text.slice(start, start + 40).search(/\s/);
  if (blankAfterStart >= 0 && start + blankAfterStart < best.from) start += blankAfterStart + 1;
  if (end < text.length) {
    const tail = /\s\S*$/.exec(text.slice(Math.max(best.to, end - 40), end));
    if (tail) end -= tail[0].length;
  }
  // Inwards, so that the result stays within the limit.
  if (isInsidePair(text, start)) start++;
  if (isInsidePair(text, end)) end--;
  return text.slice(start, Math.max(start, end));
}

function isInsidePair(text: string, index: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(Math.max(0, index - 1), index + 1));
}
