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
  const sentences: Sentence[] = [];
  let fence: string | null = null;
  let tag: string | null = null;
  for (const [lineOffset, line] of text.slice(0, maxTextChars).split("\n").entries()) {
    const trimmed = line.trim();
    const bar = /^(?:`{3,}|~{3,})/.exec(trimmed)?.[0];
    if (bar !== undefined && (fence === null || (bar.startsWith(fence) && trimmed === bar))) {
      fence = fence === null ? bar : null;
      continue;
    }
    const opened: string | undefined = tag === null ? /^<([a-z][\w-]*)>/i.exec(trimmed)?.[1] : undefined;
    if (opened !== undefined) tag = opened;
    if (tag !== null) {
      if (trimmed.includes(`</${tag}>`)) tag = null;
      continue;
    }
    if (fence !== null || /^(?:>|\||\t| {4}\S*[;{}()=])/.test(line)) continue;
    for (const sentence of cutLine(trimmed.replace(/^(?:[-*+]|\d+[.)]|#{1,6})\s+/, ""))) {
      for (const text of cutLong(sentence)) sentences.push({ text, lineOffset });
    }
  }
  return sentences;
}

/** A run-on sentence comes in parts, cut at commas; what has none is a list or code, and left out. */
function cutLong(sentence: string): string[] {
  const parts: string[] = [];
  let rest = sentence;
  while (rest.length > maxSentenceChars) {
    const end = Math.max(rest.lastIndexOf(", ", maxSentenceChars), rest.lastIndexOf("; ", maxSentenceChars));
    if (end <= 0) return parts;
    parts.push(rest.slice(0, end + 1));
    rest = rest.slice(end + 2).trimStart();
  }
  return [...parts, rest];
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
