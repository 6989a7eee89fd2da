import { countFrontMatterLines } from "../../text/front-matter.ts";
import { outlineMarkdown } from "../../text/markdown.ts";
import { foldWord } from "../../text/words/fold.ts";
import { languageOf, stopWordsOf } from "../../text/words/stop-words.ts";
import { wordsOf } from "./words.ts";

export interface NoteText {
  readonly path: string;
  readonly text: string;
  /** `YYYY-MM-DD` of a dated note. */
  readonly date: string | null;
}

export type LineKind = "text" | "heading" | "code" | "other";

export interface NoteLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  /** `other` is blank, or front matter. */
  readonly kind: LineKind;
  /** The nearest heading above; null before the first. */
  readonly heading: string | null;
}

export interface Section {
  readonly heading: string;
  readonly startLine: number;
  readonly endLine: number;
}

/** A note as the makers of questions look at it. */
export interface ReadNote {
  readonly path: string;
  readonly date: string | null;
  readonly lines: readonly NoteLine[];
  readonly sections: readonly Section[];
  /** As stop words tell it; null when they do not. */
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
  const words = [...new Set(wordsOf(text.slice(0, 2000)).map(foldWord))].slice(0, wordsThatTell);
  // Telling the language is what costs most here, and only dated notes are asked about by any word.
  const stopWords = date === null ? new Set<string>() : stopWordsOf(words);
  return { path, date, lines, sections, language: languageOf(words), stopWords };
}

const wordsThatTell = 24;
