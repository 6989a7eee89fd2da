import { isAscii } from "../ascii.ts";
import { irregularForms } from "./stems/irregular-english.ts";

/** Skips words of a text that cannot become one of some tokens. */
export interface WantedWords {
  /** False if all tokens are ASCII, so that no word of another script can become one. */
  readonly hasForeign: boolean;
  /**
   * The start of the first word, from `start` on, that is not plain or may become a wanted token; `start` must be at
   * the beginning of a word or at a space. `units` are those of a text of this length; see `code-units.ts`. `onSkipped`
   * gets the number of plain words in between.
   */
  skipOthers(units: Uint16Array, start: number, length: number, onSkipped: (count: number) => void): number;
}

/**
 * Most words of a text begin like no word of the question and need not be stemmed: a stem differs from its word in at
 * most the last two letters and keeps the first two. There are two exceptions: stems of one letter, and irregular forms
 * ("went", "go"). A number is its own token.
 */
export function createWantedWords(tokens: Iterable<string>): WantedWords {
  /** By the first three letters; words of two letters come after the others. */
  const beginnings = new Uint8Array(letters * letters * (letters + 1));
  const singles = new Uint8Array(letters);
  const digits = new Uint8Array(10);
  let hasForeign = false;
  for (const token of tokens) {
    hasForeign ||= !isAscii(token);
    const [first, second] = [token.charCodeAt(0) - a, token.charCodeAt(1) - a];
    if (isDigit(token.charCodeAt(0))) digits[token.charCodeAt(0) - zero] = 1;
    if (!isLetter(first)) continue;
    if (!isLetter(second)) {
      beginnings.fill(1, slotOf(first, 0, 0), slotOf(first + 1, 0, 0));
      singles[first] = 1;
      continue;
    }
    const third = token.charCodeAt(2) - a;
    // Of five letters, the first three are certain; "ais" may come from "ays".
    if (token.length >= 5 && isLetter(third)) beginnings[slotOf(first, second, third)] = 1;
    else beginnings.fill(1, slotOf(first, second, 0), slotOf(first, second + 1, 0));
    if (second === i) beginnings.fill(1, slotOf(first, y, 0), slotOf(first, y + 1, 0));
  }
  const forms = irregularForms().filter(([, lemma]) => beginnings[slotOfWord(lemma)] === 1);
  for (const [form] of forms) beginnings[slotOfWord(form)] = 1;
  return {
    hasForeign,
    skipOthers: (units, start, length, onSkipped) =>
      skipOthers(units, start, length, { beginnings, singles, digits }, onSkipped),
  };
}

function slotOf(first: number, second: number, third: number): number {
  return (first * letters + second) * (letters + 1) + third;
}

function slotOfWord(word: string): number {
  const third = word.length > 2 ? word.charCodeAt(2) - a : noLetter;
  return slotOf(word.charCodeAt(0) - a, word.charCodeAt(1) - a, third);
}

/** One loop without calls: it runs over every character of every candidate, mostly before it is compiled. */
function skipOthers(
  units: Uint16Array,
  start: number,
  length: number,
  { beginnings, singles, digits }: { beginnings: Uint8Array; singles: Uint8Array; digits: Uint8Array },
  onSkipped: (count: number) => void,
): number {
  let at = start;
  let count = 0;
  for (;;) {
    let code = units[at]!;
    // Punctuation before a word is ignored, except for sigils that are not followed by a space.
    while (code < 0x80 && marks[code] !== 0) {
      if (marks[code] === sigil && !isBlank(units[at + 1]!)) break;
      code = units[++at]!;
    }
    const first = (code | 0x20) - a;
    let end = at + 1;
    if (code >= 0x41 && first >= 0 && first < letters) {
      const second = units[end]! - a;
      if (second >= 0 && second < letters) {
        code = units[++end]!;
        const third = code >= a && code < a + letters ? code - a : noLetter;
        if (beginnings[(first * letters + second) * (letters + 1) + third] === 1) break;
      } else if (singles[first] === 1) break;
      else code = units[end]!;
      while (code >= a && code < a + letters) code = units[++end]!;
    } else if (code >= zero && code <= nine && digits[code - zero] === 0) {
      do code = units[end++]!;
      while (code >= zero && code <= nine);
      end--;
    } else break;
    // Longer words are cut, and what is attached to a word may belong to it.
    if (end - at > longestPlain) break;
    while (code < 0x80 && marks[code] !== 0 && !isBlank(code)) code = units[++end]!;
    if (!isBlank(code) && end < length) break;
    at = end;
    count++;
  }
  if (count > 0) onSkipped(count);
  return Math.min(at, length);
}

const letters = 26;
const a = 0x61;
const [zero, nine] = [0x30, 0x39];
/** In place of a third letter. */
const noLetter = letters;
const i = 0x69 - a;
const y = 0x79 - a;
const sigil = 2;
/** By ASCII code: 0 for what belongs to words, `sigil` for what may begin one. */
const marks = new Uint8Array(0x80)
  .fill(1)
  .fill(0, 0x30, 0x3a)
  .fill(0, 0x41, 0x5b)
  .fill(0, a, a + letters);
marks[0x5f] = 0;
for (const character of "-@#") marks[character.charCodeAt(0)] = sigil;

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a;
}

const longestPlain = 60;

function isLetter(place: number): boolean {
  return place >= 0 && place < letters;
}

function isDigit(code: number): boolean {
  return code >= zero && code <= nine;
}
