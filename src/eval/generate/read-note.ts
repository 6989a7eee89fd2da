import { countFrontMatterLines } from "../../text/front-matter.ts";
import { outlineMarkdown } from "../../text/markdown.ts";
import { foldWord } from "../../text/words/fold.ts";
import { languageOf, stopWordsOf } from "../../text/words/stop-words.ts";

export interface NoteText {
  readonly path: string;
  readonly text: string;
  /** `YYYY-MM-DD` of a dated note. */
  readonly date: string | null;
}

type LineKind = "text" | "heading" | "code" | "other";

interface NoteLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  /** `other` is blank, or front matter. */
  readonly kind: LineKind;
  /** The nearest heading above; null before the first. */
  readonly heading: string | null;
}

interface Section {
  readonly heading: string;
  readonly startLine: number;
  readonly endLine: number;
}

/** A note, parsed for generating questions. */
export interface ReadNote {
  readonly path: string;
  readonly date: string | null;
  readonly lines: readonly NoteLine[];
  readonly sections: readonly Section[];
  /** By its stop words; null when they are inconclusive. */
  readonly language: string | null;
  /** Of that language, folded; none for a note without a date. */
  readonly stopWords: ReadonlySet<string>;
}

export function readNote({ path, text, date }: NoteText): ReadNote {
  const { headings } = outlineMarkdown(text, 0);
  const headingAt = new Map(headings.map((heading) => [heading.line, heading.text]));
  const frontMatterLines = countFrontMatterLines(text);
  let heading: string | null = null;
  let isCode = false;
  const lines = text.split("\n").map((raw, index): NoteLine => {
    const line = raw.replace(/\r$/, "");
    const isFence = /^\s*(?:```|~~~)/.test(line);
    heading = headingAt.get(index) ?? heading;
    const kind = headingAt.has(index)
      ? "heading"
      : index < frontMatterLines || isFence || line.trim() === ""
        ? "other"
        : isCode
          ? "code"
          : "text";
    if (isFence) isCode = !isCode;
    return { number: index + 1, text: line, kind, heading };
  });
  const isBlank = (line: number): boolean => (lines[line - 1]?.text ?? "").trim() === "";
  const sections = headings.map(({ line, level, text: title }, index): Section => {
    let next = index + 1;
    while (next < headings.length && headings[next]!.level > level) next++;
    let endLine = headings[next]?.line ?? lines.length;
    while (endLine > line + 1 && isBlank(endLine)) endLine--;
    return { heading: title, startLine: line + 1, endLine };
  });
  const words = [...new Set(wordsOf(text.slice(0, 2000)).map(foldWord))].slice(0, languageSampleWords);
  // Detecting the language is the slowest part, and only questions about dated notes need stop words.
  const stopWords = date === null ? new Set<string>() : stopWordsOf(words);
  return { path, date, lines, sections, language: languageOf(words), stopWords };
}

const languageSampleWords = 24;

/** The words of a text as written; scripts without spaces are segmented by the runtime. */
export function wordsOf(text: string): string[] {
  if (!unspaced.test(text)) return text.match(spacedWord) ?? [];
  return [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);
}

/** Two characters of an unspaced script say as much as four letters elsewhere. */
export function isLongEnough(word: string): boolean {
  return word.length >= (unspaced.test(word) ? 2 : 4);
}

const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}]/u;
const spacedWord = /[\p{L}\p{M}\p{N}_]+/gu;
const segmenter = new Intl.Segmenter("und", { granularity: "word" });

export interface LinePlace {
  readonly note: ReadNote;
  readonly line: NoteLine;
}

export interface RareWords {
  /** The lines with the word, in any letter case; null when there are more than a few. */
  placesOf(word: string): readonly LinePlace[] | null;
  /** The lines with the exact phrase; null when there are more than a few. */
  placesOfPhrase(phrase: string): readonly LinePlace[] | null;
}

/** A word on more lines identifies none of them. */
export const fewPlaces = 3;

/** The lines of each rare word. */
export function createRareWords(notes: readonly ReadNote[]): RareWords {
  const places = new Map<string, LinePlace[] | null>();
  for (const note of notes) {
    for (const line of note.lines) {
      for (const word of new Set(wordsOf(line.text.toLowerCase()))) {
        const known = places.get(word);
        if (known === undefined) places.set(word, [{ note, line }]);
        else if (known !== null && known.length < fewPlaces) known.push({ note, line });
        else if (known !== null) places.set(word, null);
      }
    }
  }
  const placesOf = (word: string): readonly LinePlace[] | null => {
    const found = places.get(word.toLowerCase());
    return found === undefined ? [] : found;
  };
  return {
    placesOf,
    placesOfPhrase(phrase) {
      const known = wordsOf(phrase)
        .map(placesOf)
        .filter((found) => found !== null)
        .sort((left, right) => left.length - right.length);
      return known[0]?.filter(({ line }) => line.text.includes(phrase)) ?? null;
    },
  };
}
