/** A sentence as it was said, and the line of the text it begins on, from 0. */
export interface Sentence {
  readonly text: string;
  readonly lineOffset: number;
}

/** Longer ones are cut: a note is read line by line. */
const maxSentenceChars = 400;
/** A pasted file is no conversation: what follows is not looked at. */
const maxTextChars = 200_000;

/** Cuts what was said into sentences. Code, quotations and what a host put between tags are left out. */
export function splitSentences(text: string): Sentence[] {
  return joinWrapped(readLines(text.slice(0, maxTextChars).split(/\r?\n/))).flatMap(({ text, lineOffset }) =>
    cutLine(text)
      .flatMap(cutLong)
      .map((sentence) => ({ text: sentence, lineOffset })),
  );
}

interface TextLine extends Sentence {
  /** Goes on where the line before it stopped: no list item, no heading, nothing left out between them. */
  readonly isNext: boolean;
}

/** The lines that are talk, without bullets. A fence or tag that is never closed is none: it would swallow the rest. */
function readLines(lines: readonly string[]): TextLine[] {
  const talk: TextLine[] = [];
  const lastClosing = findLastClosings(lines);
  let closing: string | null = null;
  let previous = -1;
  for (const [lineOffset, line] of lines.entries()) {
    const trimmed = line.trim();
    if (closing !== null) {
      const isClosed = isFence(closing) ? closesFence(trimmed, closing) : trimmed.includes(closing);
      if (isClosed) closing = null;
      continue;
    }
    const opened = openedBy(trimmed);
    const last = opened === null ? undefined : lastClosing.get(isFence(opened) ? opened.slice(0, 3) : opened);
    if (opened !== null && last !== undefined && last >= lineOffset + (isFence(opened) ? 1 : 0)) {
      if (isFence(opened) || !trimmed.includes(opened)) closing = opened;
      continue;
    }
    if (trimmed === "" || (opened !== null && isFence(opened)) || /^(?:>|\||\t| {4}\S*[;{}()=])/.test(line))
      continue;
    const text = trimmed.replace(/^(?:[-*+]|\d+[.)]|#{1,6})\s+/, "");
    talk.push({ text, lineOffset, isNext: previous === lineOffset - 1 && text === trimmed });
    previous = lineOffset;
  }
  return talk;
}

/** The text that ends what a line opens: a fence, or the tag that belongs to it. */
function openedBy(line: string): string | null {
  const bar = /^(?:`{3,}|~{3,})/.exec(line)?.[0];
  if (bar !== undefined) return bar;
  const tag = /^<([a-z][\w-]*)>/i.exec(line)?.[1];
  return tag === undefined || inlineTags.has(tag.toLowerCase()) ? null : `</${tag}>`;
}

const inlineTags = new Set(["b", "i", "em", "strong", "u", "p", "br", "code", "kbd", "mark", "sub", "sup"]);

function isFence(mark: string): boolean {
  return !mark.startsWith("<");
}

function closesFence(line: string, bar: string): boolean {
  return line.startsWith(bar) && /^(?:`+|~+)$/.test(line);
}

/** Where each tag, and each kind of fence, is closed for the last time. Found in one pass. */
function findLastClosings(lines: readonly string[]): ReadonlyMap<string, number> {
  const last = new Map<string, number>();
  for (const [at, line] of lines.entries()) {
    const fence = /^\s*(?:(`{3})`*|(~{3})~*)\s*$/.exec(line);
    if (fence !== null) last.set((fence[1] ?? fence[2])!, at);
    if (!line.includes("</")) continue;
    for (const [tag] of line.matchAll(/<\/[a-z][\w-]{0,64}>/gi)) last.set(tag, at);
  }
  return last;
}

/** A sentence that was broken into lines of a certain width is one again. */
function joinWrapped(lines: readonly TextLine[]): Sentence[] {
  const joined: { text: string; lineOffset: number }[] = [];
  let width = 0;
  for (const { text, lineOffset, isNext } of lines) {
    const before = joined.at(-1);
    if (before !== undefined && isNext && isBroken(before.text, width, text)) before.text += ` ${text}`;
    else joined.push({ text, lineOffset });
    width = text.length;
  }
  return joined;
}

function isBroken(text: string, width: number, next: string): boolean {
  const end = text.slice(-24);
  if (/[.!?:;…。！？]["')\]»”」]*$/.test(end)) return false;
  if (/,$/.test(end) || openWords.test(end) || joiningWords.test(next)) return true;
  return width >= 60 || (width >= 40 && /^[\p{Ll}\d("'`]/u.test(next));
}

/** No sentence ends with these. */
const openWords =
  /(?<!\p{L})(?:the|a|an|to|with|for|of|use|using|and|or|in|on|at|is|are|by|from|until|that|than|our|my|your|not|as|into|der|die|das|den|dem|ein|eine|und|mit|für|von|zu|el|la|los|las|un|una|de|con|y|para|le|les|des|et|avec|pour|sur)$/iu;

/** No message begins with these. */
const joiningWords =
  /^(?:on|in|at|of|by|until|than|because|which|instead|rather|und|mit|bis|für|von|con|para|hasta|avec|pour|jusqu)(?!\p{L})/u;

/** A run-on sentence comes in parts, cut at commas or where a new thought begins; what has neither is no sentence. */
function cutLong(sentence: string): string[] {
  const parts: string[] = [];
  let rest = sentence;
  while (rest.length > maxSentenceChars) {
    const end = findCut(rest.slice(0, maxSentenceChars));
    if (end <= 0) return parts;
    parts.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  return [...parts, rest];
}

function findCut(text: string): number {
  const comma = Math.max(...[", ", "; ", "，", "、"].map((mark) => text.lastIndexOf(mark)));
  if (comma > 0) return comma + 1;
  const joint = Math.max(
    ...[" and ", " so ", " but ", " then ", " also ", " und ", " y ", " et "].map((word) =>
      text.lastIndexOf(word),
    ),
  );
  return joint > 0 ? joint + 1 : text.lastIndexOf(" ");
}

/** Ends of sentences: in Latin script a mark and a space (not behind an abbreviation), in CJK the mark alone. */
function cutLine(line: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (const { index, 0: mark } of line.matchAll(
    /(?<![.!?…])[.!?…]+["')\]»”]*(?=\s)|[。！？]+[」』”]*|(?<=[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}])[!?]+/gu,
  )) {
    const end = index + mark.length;
    if (mark === "." && isAbbreviation(line, start, index)) continue;
    parts.push(line.slice(start, end));
    start = end;
  }
  parts.push(line.slice(start));
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

const abbreviations =
  /^(?:e\.g|i\.e|etc|vs|mr|mrs|ms|dr|prof|st|no|nr|tel|ca|bzw|z\.b|u\.a|d\.h|usw|sr|sra|p\.ej|ej|mme|p\.ex|approx|dept|inc|ltd)$/i;

const germanMonth = /^\.\s+(?:jan|feb|mär|apr|mai|jun|jul|aug|sep|okt|nov|dez)\p{L}*/iu;

/** Also the day of a date in German: "am 4. Dezember". */
function isAbbreviation(line: string, start: number, dot: number): boolean {
  const word = /\S*$/.exec(line.slice(Math.max(start, dot - 20), dot))![0];
  if (abbreviations.test(word) || /^\p{Lu}$/u.test(word)) return true;
  return /^\d{1,2}$/.test(word) && germanMonth.test(line.slice(dot, dot + 20));
}
