import { type NormaliserOptions, rewriteCharacter } from "./characters.ts";
import type { Vocabulary } from "./vocabulary.ts";

export interface WordPieceOptions {
  readonly vocabulary: Vocabulary;
  readonly normaliser: NormaliserOptions;
  /** A word of more characters than this is unknown. */
  readonly maxWordCharacters: number;
  /** Stands for a whole word that cannot be put together from pieces. */
  readonly unknownId: number;
}

export interface WordPieceTokenizer {
  /** The ids of the word pieces of a text, in order. `onWord` hears after each word where its pieces begin in the list. */
  tokenize(text: string, onWord?: (word: WordPlace, ids: readonly number[]) => void): number[];
}

/** A word between blanks and punctuation. It is reused for the next word. */
export interface WordPlace {
  /** Of its first piece in the list; its pieces go on to the end of the list. */
  first: number;
  characters: number;
  hasDigit: boolean;
}

/**
 * Cuts text into word pieces: words end at white space and around every punctuation character, and each word is cut
 * into the longest pieces that the vocabulary has. One pass over the characters, with the word in a small buffer, so
 * that no string is made for plain text.
 */
export function createWordPieceTokenizer(options: WordPieceOptions): WordPieceTokenizer {
  const { vocabulary, normaliser, maxWordCharacters, unknownId } = options;
  const ascii = Array.from({ length: 128 }, (_, code) =>
    rewriteCharacter(String.fromCharCode(code), normaliser),
  );
  /** For ASCII: the one code unit that a character becomes, `vanished`, or `boundary`. */
  const asciiUnits = Uint8Array.from(ascii, (rewritten) =>
    rewritten.includes(" ") ? boundary : rewritten === "" ? vanished : rewritten.charCodeAt(0),
  );
  const rewrites = new Map<number, string>();

  function rewrite(codePoint: number): string {
    if (codePoint < 128) return ascii[codePoint]!;
    const known = rewrites.get(codePoint);
    if (known !== undefined) return known;
    if (rewrites.size >= maxRewrites) rewrites.clear();
    const rewritten = rewriteCharacter(String.fromCodePoint(codePoint), normaliser);
    rewrites.set(codePoint, rewritten);
    return rewritten;
  }

  function tokenize(text: string, onWord?: (word: WordPlace, ids: readonly number[]) => void): number[] {
    const ids: number[] = [];
    const place: WordPlace = { first: 0, characters: 0, hasDigit: false };
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
      // Halves of characters are not counted and no piece has them, so what does not fit changes nothing.
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
/** Enough for the characters of a few scripts; a text with all of Unicode must not fill the memory. */
const maxRewrites = 4096;
