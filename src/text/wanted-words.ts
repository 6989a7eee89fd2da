import { irregularForms } from "./irregular-english.ts";

/** Says of a plain word, by its first two letters, whether it could become one of some tokens. */
export interface WantedWords {
  /** Codes of small letters a–z. False only where no word that begins so becomes a wanted token. */
  mayBegin(first: number, second: number): boolean;
}

/**
 * Most words of a text begin like no word of the question, and then need not be stemmed to know that they are none:
 * stems keep the first two letters of their word. Three things are otherwise: stems of one letter, a second y that
 * becomes an i ("ays", "ai"), and irregular forms ("went", "go").
 */
export function createWantedWords(tokens: Iterable<string>): WantedWords {
  const pairs = new Uint8Array(letters * letters);
  for (const token of tokens) {
    const [first, second] = [token.charCodeAt(0) - a, token.charCodeAt(1) - a];
    if (!isLetter(first)) continue;
    if (!isLetter(second)) pairs.fill(1, first * letters, (first + 1) * letters);
    else pairs[first * letters + second] = 1;
    if (second === i) pairs[first * letters + y] = 1;
  }
  const placeOf = (word: string): number => (word.charCodeAt(0) - a) * letters + word.charCodeAt(1) - a;
  const forms = irregularForms().filter(([, lemma]) => pairs[placeOf(lemma)] === 1);
  for (const [form] of forms) pairs[placeOf(form)] = 1;
  return { mayBegin: (first, second) => pairs[(first - a) * letters + second - a] === 1 };
}

const letters = 26;
const a = 0x61;
const i = 0x69 - a;
const y = 0x79 - a;

function isLetter(place: number): boolean {
  return place >= 0 && place < letters;
}
