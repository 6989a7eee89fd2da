/** The words of a text as they are written; scripts without blanks are cut by the dictionary of the runtime. */
export function wordsOf(text: string): string[] {
  if (!unspaced.test(text)) return text.match(spacedWord) ?? [];
  return [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);
}

/** Two letters say as much there as four elsewhere. */
export function isLongEnough(word: string): boolean {
  return word.length >= (unspaced.test(word) ? 2 : 4);
}

const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}]/u;
const spacedWord = /[\p{L}\p{M}\p{N}_]+/gu;
const segmenter = new Intl.Segmenter("und", { granularity: "word" });
