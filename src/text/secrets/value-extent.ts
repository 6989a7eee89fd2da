import { endAt, matchAt, type Scan } from "./scan.ts";

/** The position of a value in the text. */
interface Extent {
  readonly start: number;
  readonly end: number;
  readonly isQuoted: boolean;
  /** Where the text continues after the value and its closing quote. */
  readonly after: number;
}

const opening =
  /(?:\*\*|__|[$@rbfuNRBFU]?(?:"""|'''|["'`])|\\["']|«[ \u00a0\u202f]?|[“„「『‘]|&quot;|&#39;)/y;
const closingOf: Readonly<Record<string, string>> = {
  "“": "”",
  "„": "“",
  "«": "»",
  "「": "」",
  "『": "』",
  "‘": "’",
};

/** The value that begins at `at`: up to its closing quote, or to the end of an unquoted value. */
export function readValue(scan: Scan, at: number): Extent {
  const { text } = scan;
  const lineEnd = scan.lineEnd(at);
  const open = matchAt(opening, text, at)?.[0] ?? "";
  if (open === "**" || open === "__") return readMarked(scan, at, open);
  if (open !== "") {
    const quote = open.replace(/^[$@rbfuNRBFU](?=["'`])|(?<=«).$/, "");
    const end = findClosing(scan, at + open.length, closingOf[quote] ?? quote, lineEnd);
    const isSpaced = quote === "«" && end !== -1 && /\s/.test(text[end - 1]!);
    if (end !== -1)
      return {
        start: at + open.length,
        end: isSpaced ? end - 1 : end,
        isQuoted: true,
        after: end + quote.length,
      };
  }
  const start = at + (open.startsWith("$") || open === "‘" ? 0 : open.length);
  const end = findBareEnd(scan, start, Math.min(lineEnd, start + maxRead));
  return { start, end, isQuoted: false, after: end };
}

/**
 * How much is read before it is known to be a secret: names in a row must not read the rest of the line again and
 * again.
 */
const maxRead = 112;

/** The end of a value that turned out to be a secret, however long it is. */
export function wholeEnd(scan: Scan, { start, end, isQuoted }: Extent): number {
  return isQuoted || end - start < maxRead ? end : findBareEnd(scan, start, scan.lineEnd(start));
}

/** `**hunter2**`, or a bold label whose stars close here: `Password: **` */
function readMarked(scan: Scan, at: number, mark: string): Extent {
  const lineEnd = scan.lineEnd(at);
  let start = at + mark.length;
  const end = scan.next(mark, start);
  if (end > start && end < lineEnd && scan.text[start] !== " ") {
    return { start, end, isQuoted: true, after: end + mark.length };
  }
  while (scan.text[start] === " ") start++;
  return scan.text.startsWith(mark, start)
    ? { start, end: start, isQuoted: false, after: start }
    : readValue(scan, start);
}

/** The closing quote, on the same line and not escaped. */
function findClosing(scan: Scan, from: number, quote: string, lineEnd: number): number {
  const { text } = scan;
  const isEscaped = quote.startsWith("\\");
  let end = scan.next(quote, from);
  for (let tries = 0; end !== -1 && end < lineEnd && tries < maxQuotes; tries++) {
    if (isEscaped || text[end - 1] !== "\\" || text[end - 2] === "\\") {
      // `it's` and `'a'b'`: an apostrophe between letters closes nothing.
      const isInside = quote === "'" && /[A-Za-z0-9]/.test(text[end + 1] ?? "");
      const following = isInside ? scan.next("'", end + 1) : -1;
      if (following === -1 || following >= lineEnd) return end;
    }
    end = scan.next(quote, end + 1);
  }
  return -1;
}

const maxQuotes = 16;

const nextPair = /[A-Za-z_][\w .-]{0,32}["']?\s?[=:]/y;

/** Up to whitespace; separators end it only if another value follows. */
function findBareEnd(scan: Scan, start: number, lineEnd: number): number {
  const { text } = scan;
  const runEnd = Math.min(scan.runEnd(start), lineEnd);
  let depth = 0;
  let end = start;
  for (; end < runEnd; end++) {
    const character = text[end]!;
    if (character === '"' || character === "`") break;
    if (character === "'" && /^(?:$|[\s,;)\]}|&]|\\n)/.test(text.slice(end + 1, end + 3))) break;
    if (
      character === "\\" &&
      /["'`nrt]/.test(text[end + 1] ?? "") &&
      !/[A-Za-z]{2}/.test(text.slice(end + 1, end + 3))
    )
      break;
    if (character === "\\" && text[end + 1] === "n" && end > start) break;
    if (isPartingSign(character) && isPartedAt(text, end + 1)) break;
    if (character === "<" && end > start && endAt(tag, text, end) !== -1) break;
    if (character === "(" || character === "[" || character === "{") depth++;
    if (character === ")" || character === "]" || character === "}") {
      if (depth === 0 && /^[\s,.;:)\]}'"`*|]*(?:\s|$)/.test(text.slice(end + 1, end + 6))) break;
      depth = Math.max(0, depth - 1);
    }
    if (text.charCodeAt(end) >= 0x2e80 && end > start && text.charCodeAt(start) < 0x2e80) break;
  }
  if (end > start && end === runEnd) end = trimEnd(text, start, end);
  return end;
}

/** `</td>`, `<br>`, `<!--` */
const tag = /<(?:[/!]|[a-z]{1,10}[1-6]?[\s/>])/y;

function isPartingSign(character: string): boolean {
  return character === ";" || character === "," || character === "&";
}

function isPartedAt(text: string, at: number): boolean {
  const isEnd = at >= text.length || /\s/.test(text[at]!);
  if (isEnd) return text[at - 1] !== "&";
  if (text[at] === "&") return at + 1 >= text.length || /\s/.test(text[at + 1]!);
  if (/["']/.test(text[at]!) || text.startsWith("</", at) || text.startsWith("amp;", at)) return true;
  return endAt(nextPair, text, at) !== -1;
}

/** Sentence punctuation and markup around the value are not part of it. */
function trimEnd(text: string, start: number, end: number): number {
  let to = end;
  while (to > start + 1 && /[.,;:*|。，、；]/.test(text[to - 1]!)) to--;
  return to;
}
