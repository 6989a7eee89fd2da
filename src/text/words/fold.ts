import { isAscii } from "../ascii.ts";
import { once } from "../once.ts";

/**
 * One spelling for all ways to type a word: case, width, ligatures, diacritics, digits of any script. A mark is dropped
 * only where readers treat it as optional: on Latin, Greek, Hebrew and Arabic letters, and as a stress mark on Cyrillic
 * vowels. Elsewhere (й, ї, Indic vowel signs, Thai tones, kana voicing) it is part of the letter. Folding is
 * idempotent, and the result has no white space and nothing invisible; it is empty if the word had nothing else.
 */
export function foldWord(word: string): string {
  if (isAscii(word)) return word.toLowerCase();
  if (alreadyFolded.test(word)) return word;
  return foldByLetter(word) ?? foldByRules(word);
}

/** Han, kana and Hangul syllables have one case and one spelling; most words of these languages need no more. */
const alreadyFolded = /^[\u4e00-\u9fff\u3041-\u3096\u30a1-\u30fa\u30fc\uac00-\ud7a3]+$/;

/** Letters that fold the same in any context, with their folded form; null marks all others. */
const foldedLetters = new Map<number, string | null>();

function foldByLetter(word: string): string | null {
  let folded = "";
  for (let i = 0; i < word.length; i++) {
    const code = word.charCodeAt(i);
    let letter = foldedLetters.get(code);
    if (letter === undefined) {
      letter = foldLetter(code);
      foldedLetters.set(code, letter);
    }
    if (letter === null) return null;
    folded += letter;
  }
  return folded;
}

function foldLetter(code: number): string | null {
  if (code >= 0x700 && (code < 0x1e00 || code > 0x1fff)) return null;
  const letter = String.fromCharCode(code);
  if (bareLetter.test(letter)) return foldBare(letter);
  if (/[\u0410-\u044f\u0454\u0456\u0457]/.test(letter)) return letter.toLowerCase();
  if (!/[\p{L}\p{N}]/u.test(letter)) return null;
  const folded = foldByRules(letter);
  return /\p{M}/u.test(folded) ? null : folded;
}

/** Letters of which every mark is optional: of the West and Vietnamese, Greek, Hebrew, Arabic. */
const bareLetter =
  /[A-Za-z0-9\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0386\u0388-\u03ce\u05d0-\u05ea\u0621-\u063a\u0641-\u064a\u1e00-\u1e99\u1e9b-\u1eff]/;

/** Equals `foldByRules` for one of these; expressions with Unicode classes take milliseconds to compile. */
function foldBare(letter: string): string {
  const bare = letter
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[\u0300-\u036f\u0653-\u0655]/g, "");
  return [...bare].map((each) => letterFolds().get(each) ?? each).join("");
}

function foldByRules(word: string): string {
  // These scripts have no case, no compatibility forms and no optional marks, so the costly steps would change nothing.
  const southAsian = /^[\u0900-\u0e7f]+$/.test(word);
  let folded = southAsian
    ? word.normalize("NFD")
    : word.normalize("NFKD").toLowerCase().replace(invisible(), "").replace(optionalMarks(), "$1");
  if (/[\u0400-\u052f]/.test(folded)) folded = folded.replace(markedCyrillic(), foldCyrillic);
  if (/[\u0900-\u097f]/.test(folded)) folded = foldDevanagari(folded);
  if (!southAsian || southAsianOthers.test(folded)) {
    folded = folded.replace(otherLetters(), (letter) => letterFolds().get(letter) ?? digitOf(letter));
  }
  return folded
    .normalize("NFC")
    .replace(splitVowel, "$1\u0e33")
    .replace(/\u0ecd\u0eb2/g, "\u0eb3");
}

/** Tatweel only stretches a word, and the Quranic end signs are not letters. */
const invisible = once(() => /[\s\u0640\u06dd\u06de\u06e9\p{Default_Ignorable_Code_Point}]+/gu);
const optionalMarks = once(
  () =>
    /((?=\p{L})[\p{Script=Latin}\p{Script=Greek}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}])\p{M}+/gu,
);
const markedCyrillic = once(() => /((?=\p{L})[\u0400-\u052f])(\p{M}+)/gu);

/** Thai am, taken apart by NFKD or typed as two signs with the tone between them. */
const splitVowel = /\u0e4d([\u0e48-\u0e4b]?)\u0e32/g;

const letterFolds = once(
  () =>
    new Map(
      `ßss æae øo œoe łl đd ðd þth ıi ȷj ħh ŧt ŋn ĸk ƀb ɓb ƈc ɖd ɗd ɛe əe ǝe ɣg ɨi ɩi ƙk ƚl ɲn ɔo ƥp ʃsh
  ƭt ʊu ʋv ƴy
  ƶz ʒzh ςσ ґг ٱا ىي یي کك ڪك ةه ہه ەه ۃه ൺണ് ൻന് ർര് ൽല് ൾള് ൿക്`
        .split(/\s+/)
        .map((pair): [string, string] => [pair.slice(0, 1), pair.slice(1)]),
    ),
);
const otherLetters = once(() => new RegExp(`[${[...letterFolds().keys()].join("")}]|(?![0-9])\\p{Nd}`, "gu"));

/** Scripts of South Asia with some of these letters; the expression itself takes long to compile. */
const southAsianOthers =
  /[\u0d7a-\u0d7f]|[\u0966-\u096f\u09e6-\u09ef\u0a66-\u0a6f\u0ae6-\u0aef\u0b66-\u0b6f]|[\u0be6-\u0bef\u0c66-\u0c6f\u0ce6-\u0cef\u0d66-\u0d6f\u0de6-\u0def\u0e50-\u0e59]/;

/** In Unicode, decimal digits are runs of ten that begin with zero. */
function digitOf(letter: string): string {
  const codePoint = letter.codePointAt(0)!;
  let first = codePoint;
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first--;
  return String((codePoint - first) % 10);
}

/**
 * Keeps the one mark that makes another letter, as in й, ї and ў; stress marks and the dots of ё are
 * optional.
 */
function foldCyrillic(_marked: string, letter: string, marks: string): string {
  const optional =
    letter === "е" ? /[\u0300\u0301\u0308]/ : /[аиоуыэюяіє]/.test(letter) ? /[\u0300\u0301]/ : /^$/;
  for (const mark of marks) {
    const composed = (letter + mark).normalize("NFC");
    if (!optional.test(mark) && composed.length === 1) return letter + mark;
  }
  return letter;
}

/** Hindi spells a nasal before its own class of consonant with a dot or in full, and the dot below is optional. */
function foldDevanagari(word: string): string {
  return word
    .replace(/[\u093c]/g, "")
    .replace(/\u0901|ङ्(?=[क-घ])|ञ्(?=[च-झ])|ण्(?=[ट-ढ])|न्(?=[त-ध])|म्(?=[प-भ])/g, "\u0902");
}
