import { irregularLemma } from "./irregular-english.ts";
import { stemEnglish } from "./stem-english.ts";
import { stemArabic, stemCyrillic, stemGreek, stemHebrew, stemIndic } from "./stem-scripts.ts";

/**
 * The stem that the index keeps of a folded word. Only the script is known, not the language, so each script has one
 * light stemmer for all its languages. Words with digits or mixed scripts stay whole, as do scripts without a stemmer.
 * A stem is never empty and never longer than its word. Stemming is not idempotent: the English and Cyrillic rules
 * could cut a stem again.
 */
export function stemWord(folded: string): string {
  const first = folded.charCodeAt(0);
  if (first >= 0x61 && first <= 0x7a) {
    return /^[a-z]+$/.test(folded) ? stemEnglish(irregularLemma(folded) ?? folded) : folded;
  }
  for (const { from, to, letters, stem } of scripts) {
    if (first >= from && first <= to) return letters.test(folded) ? stem(folded) : folded;
  }
  return folded;
}

const scripts: readonly {
  readonly from: number;
  readonly to: number;
  readonly letters: RegExp;
  readonly stem: (word: string) => string;
}[] = [
  { from: 0x370, to: 0x3ff, letters: /^[\u0370-\u03ff]+$/, stem: stemGreek },
  { from: 0x400, to: 0x52f, letters: /^[\u0400-\u052f]+$/, stem: stemCyrillic },
  { from: 0x5d0, to: 0x5ea, letters: /^[\u05d0-\u05ea]+$/, stem: stemHebrew },
  { from: 0x620, to: 0x6ff, letters: /^[\u0620-\u06ff]+$/, stem: stemArabic },
  { from: 0x900, to: 0xd7f, letters: /^[\u0900-\u0d7f]+$/, stem: stemIndic },
];
