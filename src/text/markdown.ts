import { unitsOf } from "./chunk-units.ts";
import { countFrontMatterLines } from "./front-matter.ts";
import {
  atxLevel,
  charCode,
  closesFence,
  countIndent,
  fenceLength,
  headingText,
  isLetter,
  isListItem,
  isSpace,
  isTitle,
  underlineLevel,
} from "./markdown-line.ts";
import { createCodeUnits } from "./words/code-units.ts";

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
  const outline: OpenOutline = {
    text,
    wholeUnits,
    starts: new Int32Array(count + 1),
    units: new Uint32Array(count + 1),
    breaks: new Uint8Array(count),
    headings: [],
    fenceLine: -1,
    fenceCode: 0,
    fenceRun: 0,
    tableLine: -1,
    titleLine: -1,
    inList: false,
    afterBlank: true,
    afterHeading: false,
  };
  readLines(outline, count);
  const { starts, units, breaks, headings, fenceLine, fenceCode, fenceRun, tableLine } = outline;
  if (fenceLine >= 0) keepWhole(outline, fenceLine, count);
  if (tableLine >= 0) keepWhole(outline, tableLine, count);
  const fenceToClose = fenceLine >= 0 ? String.fromCharCode(fenceCode).repeat(fenceRun) : null;
  return { count, starts, units, breaks, headings, fenceToClose };
}

/** What is known up to the line that is read. */
interface OpenOutline extends Pick<Outline, "starts" | "units" | "breaks"> {
  readonly text: string;
  readonly wholeUnits: number;
  readonly headings: Heading[];
  /** The first line of an open fence, its character and length. */
  fenceLine: number;
  fenceCode: number;
  fenceRun: number;
  tableLine: number;
  /** The previous line if it is the first of a paragraph: an underline would make it a heading. */
  titleLine: number;
  inList: boolean;
  afterBlank: boolean;
  afterHeading: boolean;
}

const codesOf = createCodeUnits();

function readLines(outline: OpenOutline, count: number): void {
  const { text, starts, units, breaks } = outline;
  const { length } = text;
  const codes = codesOf(text);
  const frontMatterLines = countFrontMatterLines(text);
  for (let line = 0, start = 0; line < count; line++) {
    let size = 1;
    let next = start;
    // The marks after the last code are no line break.
    for (; codes[next] !== charCode.newline && next < length; next++) size += unitsOf(codes[next]!);
    next++;
    starts[line + 1] = next;
    const end = lineEnd(text, starts, line);
    if (end < next - 1) size--;
    units[line + 1] = units[line]! + size;

    let first = start;
    while (first < end && isSpace(codes[first]!)) first++;
    const code = codes[first]!;
    const isBlank = first === end || (code > 127 && text.slice(first, end).trim() === "");
    if (outline.tableLine >= 0 && (isBlank || code !== charCode.pipe)) {
      keepWhole(outline, outline.tableLine, line);
      outline.tableLine = -1;
    }
    if (line < frontMatterLines) {
      breaks[line] = isBlank ? breakAt.blank : breakAt.line;
      if (line === frontMatterLines - 1) keepWhole(outline, 0, line + 1);
    } else if (isBlank) {
      outline.titleLine = -1;
      outline.afterBlank = true;
    } else {
      readLine(outline, line, { start, first, end, code });
      outline.afterBlank = false;
    }
    start = next;
  }
}

interface LinePlace {
  readonly start: number;
  /** The first character that is not white space, and its code. */
  readonly first: number;
  readonly code: number;
  readonly end: number;
}

function readLine(outline: OpenOutline, line: number, { start, first, code, end }: LinePlace): void {
  const { text, starts, breaks, titleLine, afterBlank, afterHeading } = outline;
  const indent = first === start ? 0 : countIndent(text, start, first);
  outline.titleLine = -1;
  breaks[line] = afterHeading ? breakAt.afterHeading : afterBlank ? breakAt.paragraph : breakAt.line;

  if (outline.fenceLine >= 0) {
    if (code !== outline.fenceCode || !closesFence(text, first, end, code, outline.fenceRun)) return;
    keepWhole(outline, outline.fenceLine, line + 1);
    outline.fenceLine = -1;
    return;
  }
  const level = indent < 4 && code === charCode.hash ? atxLevel(text, first, end) : 0;
  if (level > 0) {
    addHeading(outline, line, { level, start: first + level, end });
    return;
  }
  const underline = indent < 4 && titleLine >= 0 ? underlineLevel(text, first, end) : 0;
  if (underline > 0) {
    breaks[line] = breakAt.inside;
    const titleEnd = lineEnd(text, starts, titleLine);
    addHeading(outline, titleLine, { level: underline, start: starts[titleLine]!, end: titleEnd });
    return;
  }
  // Most lines begin with a letter. Calls that are rarely made also keep the compiled code small.
  const isText = isLetter(code);
  const isItem = !isText && isListItem(text, first, end);
  if (isItem) outline.inList = true;
  else if (afterBlank && indent === 0) outline.inList = false;
  const run = !isText && (indent < 4 || outline.inList) ? fenceLength(text, first, end) : 0;
  if (run > 0) {
    outline.fenceLine = line;
    outline.fenceCode = code;
    outline.fenceRun = run;
  } else if (isItem) {
    if (breaks[line] === breakAt.line) breaks[line] = indent > 0 ? breakAt.nestedItem : breakAt.item;
  } else if (code === charCode.pipe) {
    if (outline.tableLine < 0) outline.tableLine = line;
  } else if ((afterBlank || afterHeading) && indent < 4 && !outline.inList && isTitle(text, first, end)) {
    outline.titleLine = line;
  }
  outline.afterHeading = false;
}

function addHeading(
  outline: OpenOutline,
  line: number,
  { level, start, end }: { readonly level: number; readonly start: number; readonly end: number },
): void {
  const { text, breaks, headings } = outline;
  // A heading directly below a higher one stays with it, so that no chunk ends with a lone heading.
  const isBelow = breaks[line] === breakAt.afterHeading && headings.at(-1)!.level < level;
  if (!isBelow) breaks[line] = breakAt.heading - level;
  headings.push({ line, level, text: headingText(text, start, end) });
  outline.afterHeading = true;
  outline.inList = false;
}

function keepWhole({ units, breaks, wholeUnits }: OpenOutline, first: number, end: number): void {
  if (units[end]! - units[first]! - 1 > wholeUnits) return;
  for (let line = first + 1; line < end; line++) {
    if (breaks[line] !== breakAt.blank) breaks[line] = breakAt.inside;
  }
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
