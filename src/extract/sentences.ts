/** Longer ones are cut, because notes are read line by line. */
const maxSentenceChars = 400;
/** The rest is not examined: this long, it is a pasted file. */
const maxTextChars = 200_000;

/** Splits what was said into sentences, without code, quotations and text that a host inserted between tags. */
export function splitSentences(text: string): string[] {
  const lines = readLines(text.slice(0, maxTextChars).split(/\r?\n/));
  return joinWrapped(lines).flatMap(cutLine).flatMap(cutLong);
}

interface TextLine {
  readonly text: string;
  /** Continues the previous line: not a list item or heading, and nothing was left out in between. */
  readonly isNext: boolean;
}

/** The lines of conversation, without bullets. An unclosed fence or tag is ignored, since it would swallow the rest. */
function readLines(lines: readonly string[]): TextLine[] {
  const kept: TextLine[] = [];
  const lastClosing = findLastClosings(lines);
  let closing: string | null = null;
  let previous = -1;
  for (const [number, line] of lines.entries()) {
    const trimmed = line.trim();
    if (closing !== null) {
      const isClosed = isFence(closing) ? closesFence(trimmed, closing) : trimmed.includes(closing);
      if (isClosed) closing = null;
      continue;
    }
    const opened = openedBy(trimmed);
    const last = opened === null ? undefined : lastClosing.get(isFence(opened) ? opened.slice(0, 3) : opened);
    if (opened !== null && last !== undefined && last >= number + (isFence(opened) ? 1 : 0)) {
      if (isFence(opened) || !trimmed.includes(opened)) closing = opened;
      continue;
    }
    if (trimmed === "" || (opened !== null && isFence(opened)) || /^(?:>|\||\t| {4}\S*[;{}()=])/.test(line))
      continue;
    const text = trimmed.replace(/^(?:[-*+]|\d+[.)]|#{1,6})\s+/, "");
    kept.push({ text, isNext: previous === number - 1 && text === trimmed });
    previous = number;
  }
  return kept;
}

/** What closes the fence or tag that a line opens. */
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

/** The last closing line of each tag and each kind of fence, found in one pass. */
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

/** Joins a sentence that was wrapped at some width. */
function joinWrapped(lines: readonly TextLine[]): string[] {
  const joined: string[] = [];
  let width = 0;
  for (const { text, isNext } of lines) {
    const before = joined.at(-1);
    if (before !== undefined && isNext && isBroken(before, width, text))
      joined[joined.length - 1] = `${before} ${text}`;
    else joined.push(text);
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

/** Words that cannot end a sentence. */
const openWords =
  /(?<!\p{L})(?:the|a|an|to|with|for|of|use|using|and|or|in|on|at|is|are|by|from|until|that|than|our|my|your|not|as|into|der|die|das|den|dem|ein|eine|und|mit|für|von|zu|el|la|los|las|un|una|de|con|y|para|le|les|des|et|avec|pour|sur)$/iu;

/** Words that cannot begin a message. */
const joiningWords =
  /^(?:on|in|at|of|by|until|than|because|which|instead|rather|und|mit|bis|für|von|con|para|hasta|avec|pour|jusqu)(?!\p{L})/u;

/** Splits a run-on sentence at commas or where a new thought begins. Text without either is not a sentence. */
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

/**
 * Splits at the ends of sentences: punctuation and a space in Latin script (not after an abbreviation), punctuation
 * alone in CJK.
 */
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

/** Also the day of a German date: "am 4. Dezember". */
function isAbbreviation(line: string, start: number, dot: number): boolean {
  const word = /\S*$/.exec(line.slice(Math.max(start, dot - 20), dot))![0];
  if (abbreviations.test(word) || /^\p{Lu}$/u.test(word)) return true;
  return /^\d{1,2}$/.test(word) && germanMonth.test(line.slice(dot, dot + 20));
}
