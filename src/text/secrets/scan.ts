/** A secret in a text: UTF-16 offsets, without quotes around it. */
export interface FoundSecretAt {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
}

/** A text that is scanned from left to right. */
export interface Scan {
  readonly text: string;
  readonly found: FoundSecretAt[];
  lineStart(at: number): number;
  lineEnd(at: number): number;
  /** Whether the line has any of the characters that separate a name from a value. */
  lineHasValue(at: number): boolean;
  /** The end of the run without whitespace around `at`. */
  runEnd(at: number): number;
  /** The next occurrence, on any line, or -1. */
  next(wanted: string, from: number): number;
  add(kind: string, start: number, end: number): void;
  /** Whether this position is inside a secret that was found already. */
  isFound(at: number): boolean;
  /** The same, but a value found by its name may still turn out to be of a known kind. */
  isMarked(at: number): boolean;
}

/** Caches the last line, run and character it looked for, so that a long line is not scanned again for every word. */
export function createScan(text: string): Scan {
  const found: FoundSecretAt[] = [];
  let [start, end] = [0, -1];
  let [signFrom, signAt] = [0, -1];
  let [runStart, runEnd] = [0, -1];
  let foundEnd = 0;
  const nexts = new Map<string, { from: number; at: number; noneFrom: number }>();
  const toLine = (at: number): void => {
    if (at >= start && at <= end) return;
    start = at >= end && end >= 0 && at <= end + 1 ? end + 1 : text.lastIndexOf("\n", at - 1) + 1;
    if (at === 0) start = 0;
    const lineBreak = text.indexOf("\n", at);
    end = lineBreak === -1 ? text.length : lineBreak;
    if (end > start && text[end - 1] === "\r" && at < end) end--;
  };
  return {
    text,
    found,
    lineStart(at) {
      toLine(at);
      return start;
    },
    lineEnd(at) {
      toLine(at);
      return end;
    },
    lineHasValue(at) {
      toLine(at);
      // The next character may be many lines away, and is then the answer for all lines before it.
      if (start < signFrom || start > signAt) {
        valueSign.lastIndex = start;
        signFrom = start;
        signAt = valueSign.exec(text)?.index ?? text.length;
      }
      return signAt < end;
    },
    runEnd(at) {
      if (at >= runStart && at < runEnd) return runEnd;
      let to = at;
      while (to < text.length && !isSpace(text.charCodeAt(to))) to++;
      [runStart, runEnd] = [at, to];
      return to;
    },
    next(wanted, from) {
      const known = nexts.get(wanted);
      if (known !== undefined && from >= known.from && from <= known.at) return known.at;
      if (known !== undefined && from >= known.noneFrom) return -1;
      const at = text.indexOf(wanted, from);
      const noneFrom = at === -1 ? from : (known?.noneFrom ?? text.length);
      nexts.set(wanted, { from, at, noneFrom });
      return at;
    },
    add(kind, from, to) {
      if (to <= from) return;
      found.push({ kind, start: from, end: to });
      foundEnd = Math.max(foundEnd, to);
    },
    isFound(at) {
      if (at >= foundEnd) return false;
      // The last found secret is the one that may reach this far.
      return found.slice(-8).some((each) => at >= each.start && at < each.end);
    },
    isMarked(at) {
      if (at >= foundEnd) return false;
      return found.slice(-8).some((each) => at >= each.start && at < each.end && each.kind !== "assignment");
    },
  };
}

const valueSign = /[\d=:：|"'`“„«「『!@#$%^&*<>\t]|[,;]\w|[a-z][A-Z][A-Za-z]{0,12}[a-z][A-Z]/g;

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0x3000;
}

export interface Line {
  readonly start: number;
  readonly end: number;
}

/** The lines after the one that ends at `lineEnd`. */
export function* readLinesBelow(text: string, lineEnd: number, maxLines: number): Generator<Line, undefined> {
  let start = text.indexOf("\n", lineEnd) + 1;
  for (let count = 0; start > 0 && start < text.length && count < maxLines; count++) {
    const next = text.indexOf("\n", start);
    const end = next === -1 ? text.length : next;
    yield { start, end: text[end - 1] === "\r" ? end - 1 : end };
    start = next + 1;
  }
  return undefined;
}

/** The match of a sticky pattern at this position. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Where such a match ends; -1 if there is none. */
export function endAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}
