import { unitsOf } from "./chunk-units.ts";
import { countFrontMatterLines } from "./front-matter.ts";
import {
  atxLevel,
  charCode,
  closesFence,
  countIndent,
  fenceLength,
  headingText,
  isListItem,
  isTitle,
  skipSpaces,
  underlineLevel,
} from "./markdown-line.ts";

export interface Heading {
  /** Index of its first line, from 0. */
  readonly line: number;
  /** 1 is the outermost. */
  readonly level: number;
  readonly text: string;
}

/**
 * How good a line is as the start of a chunk; larger is better. A heading of level n has `heading - n`. A blank line is
 * never a start, nor is the inside of a block that should stay whole.
 */
export const breakAt = {
  blank: 0,
  inside: 1,
  /** The first text under a heading: a break here would leave the heading alone. */
  afterHeading: 2,
  line: 3,
  nestedItem: 4,
  item: 5,
  paragraph: 6,
  heading: 13,
};

/** The lines of a text in columns, because a large note can have millions of them. 0-based. */
export interface Outline {
  readonly count: number;
  /** Where each line starts, with one more entry for the end. */
  readonly starts: Int32Array;
  /** Units before each line, with 1 for a line break, and one more entry for the whole text. See `chunk-units.ts`. */
  readonly units: Uint32Array;
  /** One of `breakAt`, or the value of a heading. */
  readonly breaks: Uint8Array;
  readonly headings: readonly Heading[];
  /** The line that would close a fence left open at the end; null if none is. */
  readonly fenceToClose: string | null;
}

/**
 * Reads the structure needed for chunking Markdown: headings, fenced code, tables, lists, paragraphs, front matter.
 * Fences, tables and front matter of up to `wholeUnits` are marked to stay whole.
 *
 * Follows CommonMark with three exceptions for hastily written notes: an underline (`---`) makes a heading only of a
 * single short line, a fence in a list may be indented as deep as the list, and headings in quotes and list items are
 * ignored.
 */
export function outlineMarkdown(text: string, wholeUnits: number): Outline {
  const count = countLines(text);
  const starts = new Int32Array(count + 1);
  const units = new Uint32Array(count + 1);
  const breaks = new Uint8Array(count);
  const headings: Heading[] = [];
  const frontMatterLines = countFrontMatterLines(text);

  let fenceLine = -1;
  let fenceCode = 0;
  let fenceRun = 0;
  let tableLine = -1;
  /** The previous line if it is the first of a paragraph: an underline would make it a heading. */
  let titleLine = -1;
  let inList = false;
  let afterBlank = true;
  let afterHeading = false;

  function keepWhole(first: number, end: number): void {
    if (units[end]! - units[first]! - 1 > wholeUnits) return;
    for (let line = first + 1; line < end; line++) {
      if (breaks[line] !== breakAt.blank) breaks[line] = breakAt.inside;
    }
  }

  function addHeading(line: number, level: number, start: number, end: number): void {
    // A heading directly below a higher one stays with it, so that no chunk ends with a lone heading.
    const isBelow = breaks[line] === breakAt.afterHeading && headings.at(-1)!.level < level;
    if (!isBelow) breaks[line] = breakAt.heading - level;
    headings.push({ line, level, text: headingText(text, start, end) });
    afterHeading = true;
    inList = false;
  }

  function readLine(line: number, start: number, first: number, end: number): void {
    const code = text.charCodeAt(first);
    const indent = countIndent(text, start, first);
    const title = titleLine;
    titleLine = -1;
    breaks[line] = afterHeading ? breakAt.afterHeading : afterBlank ? breakAt.paragraph : breakAt.line;

    if (fenceLine >= 0) {
      if (code !== fenceCode || !closesFence(text, first, end, fenceCode, fenceRun)) return;
      keepWhole(fenceLine, line + 1);
      fenceLine = -1;
      return;
    }
    const level = indent < 4 && code === charCode.hash ? atxLevel(text, first, end) : 0;
    if (level > 0) {
      addHeading(line, level, first + level, end);
      return;
    }
    const underline = indent < 4 && title >= 0 ? underlineLevel(text, first, end) : 0;
    if (underline > 0) {
      breaks[line] = breakAt.inside;
      addHeading(title, underline, starts[title]!, lineEnd(text, starts, title));
      return;
    }
    const isItem = isListItem(text, first, end);
    if (isItem) inList = true;
    else if (afterBlank && indent === 0) inList = false;
    const run = indent < 4 || inList ? fenceLength(text, first, end) : 0;
    if (run > 0) {
      fenceLine = line;
      fenceCode = code;
      fenceRun = run;
    } else if (isItem) {
      if (breaks[line] === breakAt.line) breaks[line] = indent > 0 ? breakAt.nestedItem : breakAt.item;
    } else if (code === charCode.pipe) {
      if (tableLine < 0) tableLine = line;
    } else if ((afterBlank || afterHeading) && indent < 4 && !inList && isTitle(text, first, end)) {
      titleLine = line;
    }
    afterHeading = false;
  }

  for (let line = 0, start = 0; line < count; line++) {
    let next = text.indexOf("\n", start) + 1;
    if (next === 0) next = text.length + 1;
    starts[line + 1] = next;
    const end = lineEnd(text, starts, line);
    let size = 1;
    for (let at = start; at < end; at++) size += unitsOf(text.charCodeAt(at));
    units[line + 1] = units[line]! + size;

    const first = skipSpaces(text, start, end);
    const isBlank = first === end || (text.charCodeAt(first) > 127 && text.slice(first, end).trim() === "");
    if (tableLine >= 0 && (isBlank || text.charCodeAt(first) !== charCode.pipe)) {
      keepWhole(tableLine, line);
      tableLine = -1;
    }
    if (line < frontMatterLines) {
      breaks[line] = isBlank ? breakAt.blank : breakAt.line;
      if (line === frontMatterLines - 1) keepWhole(0, line + 1);
    } else if (isBlank) {
      titleLine = -1;
      afterBlank = true;
    } else {
      readLine(line, start, first, end);
      afterBlank = false;
    }
    start = next;
  }
  if (fenceLine >= 0) keepWhole(fenceLine, count);
  if (tableLine >= 0) keepWhole(tableLine, count);
  const fenceToClose = fenceLine >= 0 ? String.fromCharCode(fenceCode).repeat(fenceRun) : null;
  return { count, starts, units, breaks, headings, fenceToClose };
}

/** Where a line's content ends: before `\n` or `\r\n`. */
export function lineEnd(text: string, starts: Int32Array, line: number): number {
  const end = starts[line + 1]! - 1;
  const isReturn = end < text.length && end > starts[line]! && text.charCodeAt(end - 1) === charCode.return;
  return isReturn ? end - 1 : end;
}

function countLines(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; count++) {
    const newline = text.indexOf("\n", at);
    at = newline === -1 ? text.length : newline + 1;
  }
  return count;
}
