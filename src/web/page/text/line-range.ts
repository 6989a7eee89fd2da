/** A range of lines, 1-based and inclusive. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** Parses `#L5`, `#L5-L7` and `#L5-7` from an address; null for anything else. */
export function parseLineHash(hash: string): LineRange | null {
  const match = /^#?L(\d{1,9})(?:-L?(\d{1,9}))?$/.exec(hash);
  if (match === null) return null;
  const first = Number(match[1]);
  const last = Number(match[2] ?? match[1]);
  if (first < 1 || last < 1) return null;
  return { from: Math.min(first, last), to: Math.max(first, last) };
}

/** `#L5` or `#L5-L7`; an empty string for no lines. */
export function formatLineHash(range: LineRange | null): string {
  if (range === null) return "";
  return range.from === range.to ? `#L${range.from}` : `#L${range.from}-L${range.to}`;
}

/** A click on a line number selects that line; a shift-click extends the selection from the previous one. */
export function chooseLines(
  current: LineRange | null,
  line: number,
  { extend }: { extend: boolean },
): LineRange {
  if (!extend || current === null) return { from: line, to: line };
  return { from: Math.min(current.from, line), to: Math.max(current.from, line) };
}

/** Counts lines like `wc -l`, plus an unterminated last line. A final line break begins no line. */
export function splitLines(text: string): string[] {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** The offset of the first character of a line; the end of the text for a line that does not exist. */
export function startOfLine(text: string, line: number): number {
  let at = 0;
  for (let before = 1; before < line; before++) {
    const end = text.indexOf("\n", at);
    if (end === -1) return text.length;
    at = end + 1;
  }
  return at;
}
