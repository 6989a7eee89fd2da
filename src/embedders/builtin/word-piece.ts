import { isAscii } from "../../text/ascii.ts";
import { once } from "../../text/once.ts";
import type { Vocabulary } from "./vocabulary.ts";

export interface WordPieceOptions {
  readonly vocabulary: Vocabulary;
  readonly normaliser: NormaliserOptions;
  /** A word of more characters than this is unknown. */
  readonly maxWordCharacters: number;
  /** The piece for a word that cannot be composed of other pieces. */
  readonly unknownId: number;
}

export interface WordPieceTokenizer {
  /** The ids of a text's word pieces, in order. `onWord` is called after each word with the index of its first piece. */
  tokenize(text: string, onWord?: (word: WordPosition, ids: readonly number[]) => void): number[];
}

/** A word between spaces and punctuation. The object is reused for the next word. */
interface WordPosition {
  /** Index of its first piece in the list; its pieces extend to the end of the list. */
  first: number;
  characters: number;
  hasDigit: boolean;
}

/**
 * Splits text into word pieces: words end at white space and around every punctuation character, and each word is split
 * into the longest pieces of the vocabulary. One pass over the characters, with the word in a small buffer, so no string
 * is allocated for plain text.
 */
export function createWordPieceTokenizer(options: WordPieceOptions): WordPieceTokenizer {
  const { vocabulary, normaliser, maxWordCharacters, unknownId } = options;
  const ascii = once(() =>
    Array.from({ length: 128 }, (_, code) => rewriteCharacter(String.fromCharCode(code), normaliser)),
  );
  /** For ASCII: the code unit that a character becomes, `vanished`, or `boundary`. */
  const unitsOfAscii = once(() =>
    Uint8Array.from(ascii(), (rewritten) =>
      rewritten.includes(" ") ? boundary : rewritten === "" ? vanished : rewritten.charCodeAt(0),
    ),
  );
  const rewrites = new Map<number, string>();

  function rewrite(codePoint: number): string {
    if (codePoint < 128) return ascii()[codePoint]!;
    const known = rewrites.get(codePoint);
    if (known !== undefined) return known;
    if (rewrites.size >= maxRewrites) rewrites.clear();
    const rewritten = rewriteCharacter(String.fromCodePoint(codePoint), normaliser);
    rewrites.set(codePoint, rewritten);
    return rewritten;
  }

  function tokenize(text: string, onWord?: (word: WordPosition, ids: readonly number[]) => void): number[] {
    const asciiUnits = unitsOfAscii();
    const ids: number[] = [];
    const place: WordPosition = { first: 0, characters: 0, hasDigit: false };
    const word = new Uint16Array(2 * maxWordCharacters);
    let units = 0;
    let characters = 0;

    function endWord(): void {
      if (units === 0) return;
      place.first = ids.length;
      if (characters > maxWordCharacters || !vocabulary.split(word, units, ids)) ids.push(unknownId);
      if (onWord !== undefined) {
        place.characters = characters;
        place.hasDigit = hasDigit(word, units);
        onWord(place, ids);
      }
      units = 0;
      characters = 0;
    }
    function append(unit: number): void {
      if ((unit & 0xfc00) !== 0xdc00) characters++;
      // Half a surrogate pair is not counted and is in no piece, so dropping what does not fit changes nothing.
      if (characters <= maxWordCharacters && units < word.length) word[units++] = unit;
    }

    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code < 128) {
        const unit = asciiUnits[code]!;
        if (unit !== boundary) {
          if (unit !== vanished) append(unit);
          continue;
        }
      }
      const codePoint = text.codePointAt(i)!;
      if (codePoint > 0xffff) i++;
      const rewritten = rewrite(codePoint);
      for (let j = 0; j < rewritten.length; j++) {
        const unit = rewritten.charCodeAt(j);
        if (unit === blank) endWord();
        else append(unit);
      }
    }
    endWord();
    return ids;
  }

  return { tokenize };
}

function hasDigit(word: Uint16Array, units: number): boolean {
  for (let i = 0; i < units; i++) if (word[i]! >= 0x30 && word[i]! <= 0x39) return true;
  return false;
}

const blank = 0x20;
/** No ASCII character becomes one of these two. */
const boundary = 0xff;
const vanished = 0xfe;
/** Enough for the characters of a few scripts; a text with all of Unicode must not fill up memory. */
const maxRewrites = 4096;

export interface NormaliserOptions {
  /** Drop control characters; white space always becomes spaces. */
  readonly cleanText: boolean;
  /** Treat each Chinese character as a word. */
  readonly isolateChinese: boolean;
  readonly stripAccents: boolean;
  readonly lowerCase: boolean;
}

/**
 * What a character becomes before words are split into pieces, with a space wherever a word ends: `É` becomes `e`, a
 * comma becomes ` , `, a control character nothing.
 */
export function rewriteCharacter(character: string, options: NormaliserOptions): string {
  const { cleanText, isolateChinese, stripAccents, lowerCase } = options;
  if (isAscii(character)) return rewriteAscii(character, options);
  if (usualLetter.test(character)) return rewriteLetter(character, options);
  if (usualPunctuation.test(character)) return ` ${character} `;
  if (cleanText && dropped().test(character)) return "";
  if (whiteSpace.test(character)) return " ";
  const alone = isolateChinese && chinese.test(character);
  let rewritten = "";
  for (const part of stripAccents ? character.normalize("NFD") : character) {
    if (stripAccents && accent().test(part)) continue;
    // One character at a time, because lower-casing a whole word would turn its last sigma into a final sigma.
    const folded = lowerCase ? part.toLowerCase() : part;
    rewritten += punctuation().test(folded) ? ` ${folded} ` : folded;
  }
  return alone ? ` ${rewritten} ` : rewritten;
}

/** The same for ASCII: compiling expressions with Unicode classes would take most of the time of opening a model. */
function rewriteAscii(character: string, { cleanText, lowerCase }: NormaliserOptions): string {
  if (cleanText && /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(character)) return "";
  if (/\s/.test(character)) return " ";
  const folded = lowerCase ? character.toLowerCase() : character;
  return /[!-/:-@[-`{-~]/.test(folded) ? ` ${folded} ` : folded;
}

/** The same for the letters, vowel signs and accents of many scripts: none is dropped, or is a space or punctuation. */
function rewriteLetter(
  character: string,
  { isolateChinese, stripAccents, lowerCase }: NormaliserOptions,
): string {
  let rewritten = "";
  for (const part of stripAccents ? character.normalize("NFD") : character) {
    if (!stripAccents || !usualAccent.test(part)) rewritten += lowerCase ? part.toLowerCase() : part;
  }
  return isolateChinese && chinese.test(character) ? ` ${rewritten} ` : rewritten;
}

const usualLetter =
  /^[\u0300-\u036f\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0388-\u03ce\u0400-\u0481\u05d0-\u05ea\u0620-\u065f\u0900-\u0963\u0e01-\u0e3a\u0e40-\u0e4e\u1e00-\u1eff\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]/;
/** Those among them, and among their decompositions, that are nonspacing marks. */
const usualAccent =
  /[\u0300-\u036f\u064b-\u065f\u0900-\u0902\u093a\u093c\u0941-\u0948\u094d\u0951-\u0957\u0962\u0963\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u3099\u309a]/;
const usualPunctuation =
  /^[\u00a1\u00a7\u00ab\u00b6\u00b7\u00bb\u00bf\u0964\u0965\u2010-\u2027\u3001-\u3003\u3008-\u3011\uff0c]/;

const dropped = once(() => /^(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\uFFFD]/u);
/** All that Unicode calls white space. */
const whiteSpace = /^[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;
const accent = once(() => /^\p{Mn}/u);
/** Symbols for currencies, mathematics and the like are punctuation in ASCII, and part of words outside of it. */
const punctuation = once(() => /^[\p{P}$+<=>^`|~]/u);
const chinese =
  /^[\u3400-\u4DBF\u4E00-\u9FFF\uF900-\uFAFF\u{20000}-\u{2A6DF}\u{2A700}-\u{2CEAF}\u{2F800}-\u{2FA1F}]/u;
