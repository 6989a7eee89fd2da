import type { Place } from "../question.ts";
import type { LinePlace } from "./rare-words.ts";
import type { ReadNote } from "./read-note.ts";

/** A question that could be asked. */
export interface Draft {
  readonly query: string;
  readonly lang: string | null;
  readonly gold: readonly Place[];
}

/**
 * The English sentence for English notes, the telling words alone for all others: a question half in another language
 * would test that mixture.
 */
export function draftQuestion(
  note: ReadNote,
  { sentence, words, gold }: { sentence: string; words: string; gold: readonly Place[] },
): Draft {
  return { query: note.language === "en" ? sentence : words, lang: note.language, gold };
}

export function goldOf({ note, line }: LinePlace): Place {
  return { path: note.path, startLine: line.number, endLine: line.number };
}

/** Text without the marks of Markdown, in one line. */
export function plainText(text: string): string {
  return text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[*_`~]{1,3}(?=\S)|(?<=\S)[*_`~]{1,3}/g, "")
    .replace(/\s+/g, " ")
    .trim();
}
