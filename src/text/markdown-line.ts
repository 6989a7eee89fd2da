/**
 * Classifies a line of Markdown by its characters `first..end` (without indentation and line break). Plain loops over
 * character codes, because this runs on every line of every note.
 */

export const charCode = {
  tab: 9,
  newline: 10,
  return: 13,
  space: 32,
  hash: 35,
  asterisk: 42,
  plus: 43,
  hyphen: 45,
  less: 60,
  equals: 61,
  greater: 62,
  underscore: 95,
  backtick: 96,
  pipe: 124,
  tilde: 126,
};

export function skipSpaces(text: string, start: number, end: number): number {
  let at = start;
  while (at < end && isSpace(text.charCodeAt(at))) at++;
  return at;
}

/** Columns of white space; a tab counts as 4. */
export function countIndent(text: string, start: number, first: number): number {
  let columns = 0;
  for (let at = start; at < first; at++) columns += text.charCodeAt(at) === charCode.tab ? 4 : 1;
  return columns;
}

/** 1 to 6 for `# …`, else 0. `#tag` is not a heading. */
export function atxLevel(text: string, first: number, end: number): number {
  const level = runLength(text, first, end, charCode.hash);
  if (level > 6) return 0;
  return first + level === end || isSpace(text.charCodeAt(first + level)) ? level : 0;
}

/** 1 for a line of `=`, 2 for a line of `-`, else 0. */
export function underlineLevel(text: string, first: number, end: number): number {
  const code = text.charCodeAt(first);
  if (code !== charCode.equals && code !== charCode.hyphen) return 0;
  const rest = first + runLength(text, first, end, code);
  if (skipSpaces(text, rest, end) < end) return 0;
  return code === charCode.equals ? 1 : 2;
}

/** How many backticks or tildes open a fence here, else 0. */
export function fenceLength(text: string, first: number, end: number): number {
  const code = text.charCodeAt(first);
  if (code !== charCode.backtick && code !== charCode.tilde) return 0;
  const length = runLength(text, first, end, code);
  if (length < 3) return 0;
  // Backticks later in the line make it inline code.
  if (code === charCode.backtick) {
    for (let at = first + length; at < end; at++) if (text.charCodeAt(at) === code) return 0;
  }
  return length;
}

export function closesFence(text: string, first: number, end: number, code: number, length: number): boolean {
  const run = runLength(text, first, end, code);
  return run >= length && skipSpaces(text, first + run, end) === end;
}

/** `- `, `* `, `+ `, `1. ` or `1) `. */
export function isListItem(text: string, first: number, end: number): boolean {
  const code = text.charCodeAt(first);
  let at = first + 1;
  if (code >= 48 && code <= 57) {
    while (at < end && at < first + 9 && isDigit(text.charCodeAt(at))) at++;
    const mark = at < end ? text.charCodeAt(at) : 0;
    if (mark !== 46 && mark !== 41) return false;
    at++;
  } else if (code !== charCode.hyphen && code !== charCode.asterisk && code !== charCode.plus) {
    return false;
  }
  return at === end || isSpace(text.charCodeAt(at));
}

/** Could be the text above a heading's underline: short, and not a quote, a table, HTML or a thematic break. */
export function isTitle(text: string, first: number, end: number): boolean {
  if (end - first > maxHeadingChars) return false;
  const code = text.charCodeAt(first);
  if (code === charCode.greater || code === charCode.pipe || code === charCode.less) return false;
  if (code !== charCode.hyphen && code !== charCode.asterisk && code !== charCode.underscore) return true;
  for (let at = first; at < end; at++) {
    const each = text.charCodeAt(at);
    if (each !== code && !isSpace(each)) return true;
  }
  return false;
}

/** The heading without closing `#`s. A very long heading is cut, because it is repeated with every chunk below it. */
export function headingText(text: string, start: number, end: number): string {
  const heading = text.slice(start, end).trim();
  let last = heading.length;
  while (last > 0 && heading.charCodeAt(last - 1) === charCode.hash) last--;
  const isClosed = last === 0 || isSpace(heading.charCodeAt(last - 1));
  const open = isClosed ? heading.slice(0, last).trimEnd() : heading;
  if (open.length <= maxHeadingChars) return open;
  const splitsPair = (open.charCodeAt(maxHeadingChars) & 0xfc00) === 0xdc00;
  return open.slice(0, splitsPair ? maxHeadingChars - 1 : maxHeadingChars);
}

/** A heading on a line of its own (`## Title ##`), indented by up to three spaces. */
export function readHeading(line: string): { readonly level: number; readonly text: string } | null {
  const first = skipSpaces(line, 0, line.length);
  if (countIndent(line, 0, first) > 3) return null;
  const level = atxLevel(line, first, line.length);
  return level === 0 ? null : { level, text: headingText(line, first + level, line.length) };
}

const maxHeadingChars = 200;

function runLength(text: string, first: number, end: number, code: number): number {
  let at = first;
  while (at < end && text.charCodeAt(at) === code) at++;
  return at - first;
}

export function isSpace(code: number): boolean {
  return code === charCode.space || (code >= charCode.tab && code <= charCode.return);
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Of ASCII. */
export function isLetter(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 97 && lower <= 122;
}
