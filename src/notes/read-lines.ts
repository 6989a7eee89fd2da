import { decodeLines } from "./note.ts";

export interface LinesRequest {
  /** First line, from 1; less than 1 or not a number means 1. */
  readonly from?: number | undefined;
  /** How many; not a number means the default, less than 1 means 1. */
  readonly lines?: number | undefined;
  readonly maxChars?: number | undefined;
}

export interface LinesResult {
  /** Joined by `\n`, without the last line's end. */
  readonly text: string;
  readonly from: number;
  /** How many lines `text` holds. */
  readonly lines: number;
  /** A last line without a line end counts. */
  readonly totalLines: number;
  /** Where to continue reading; absent at the end. */
  readonly nextFrom?: number;
  /** How much of the only line in `text` was over `maxChars` and left out. Only a larger `maxChars` shows it. */
  readonly omittedChars?: number;
}

/** For a request of the whole note. */
export const allLines = { lines: Number.MAX_SAFE_INTEGER, maxChars: Number.MAX_SAFE_INTEGER };

const defaultLines = 120;
const defaultMaxChars = 12_000;

/**
 * Reads a range of a note: as many whole lines as fit. A first line that alone exceeds `maxChars` is cut at a code point
 * and still counts as read, so that following `nextFrom` always ends. Works on bytes, because a note may have millions
 * of lines and only a few are wanted.
 */
export function sliceLines(bytes: Uint8Array, request: LinesRequest): LinesResult {
  const from = clamp(request.from, 1);
  const wanted = clamp(request.lines, defaultLines);
  const maxChars = clamp(request.maxChars, defaultMaxChars);

  const texts: string[] = [];
  let chars = 0;
  let omittedChars = 0;
  let isFull = false;
  let totalLines = 0;
  for (let start = 0; start < bytes.length; ) {
    const end = findNewline(bytes, start);
    totalLines++;
    if (totalLines >= from && texts.length < wanted && !isFull) {
      const line = decodeLine(bytes, start, end);
      const room = maxChars - chars - texts.length;
      if (line.length <= room) {
        texts.push(line);
        chars += line.length;
      } else {
        isFull = true;
        if (texts.length === 0) {
          texts.push(cutAtCodePoint(line, room));
          omittedChars = line.length - texts[0]!.length;
        }
      }
    }
    start = end + 1;
  }
  const next = from + texts.length;
  return {
    text: texts.join("\n"),
    from,
    lines: texts.length,
    totalLines,
    ...(texts.length > 0 && next <= totalLines ? { nextFrom: next } : {}),
    ...(omittedChars > 0 ? { omittedChars } : {}),
  };
}

function clamp(value: number | undefined, otherwise: number): number {
  if (value === undefined || Number.isNaN(value)) return otherwise;
  return Math.min(Math.max(1, Math.floor(value)), Number.MAX_SAFE_INTEGER);
}

/** Where the line ends: at the next `\n`, or at the end of the file. */
function findNewline(bytes: Uint8Array, start: number): number {
  // A plain loop is faster than indexOf for the short lines that notes have.
  let at = start;
  while (at < bytes.length && bytes[at] !== newline) at++;
  return at;
}

function decodeLine(bytes: Uint8Array, start: number, end: number): string {
  const isCrlf = end < bytes.length && bytes[end - 1] === carriageReturn;
  return decodeLines(bytes.subarray(start, isCrlf ? end - 1 : end), { isStart: start === 0 });
}

function cutAtCodePoint(text: string, length: number): string {
  const splitsPair = (text.charCodeAt(length) & 0xfc00) === 0xdc00;
  return text.slice(0, splitsPair ? length - 1 : length);
}

const newline = 10;
const carriageReturn = 13;
