import { isAscii } from "./ascii.ts";

/**
 * Han, kana, Hangul, Thai, Lao, Khmer and Myanmar write words without blanks between them (Hangul glues particles to
 * them). The signs at the end repeat, lengthen and voice what stands before them, and have no script of their own.
 */
const unspaced =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\u3006\u3031-\u3035\u30fc\uff70\uff9e\uff9f]/u;
const letter = /[\p{L}\p{N}\p{Co}_]/u;
/** Marks, and what stands invisibly inside words (soft hyphens, joiners), belong to the letters beside them. */
const attached = /[\p{M}\u00ad\u200c\u200d]/u;

const kinds = { unknown: 0, between: 1, spaced: 2, unspaced: 3, attached: 4 } as const;

/** By code unit, filled as texts need it. Surrogates stay unknown: only the pair tells. */
const kindOfUnit = new Uint8Array(0x10000);
// What most texts are made of is known without the expressions above, which take milliseconds to compile.
for (let code = 0; code < 0x180; code++) {
  const isLetter = code < 0x80 ? /\w/.test(String.fromCharCode(code)) : isLatinLetter(code);
  kindOfUnit[code] = isLetter ? kinds.spaced : kinds.between;
}
kindOfUnit[0xad] = kinds.attached;
kindOfUnit.fill(kinds.between, 0x2010, 0x2028);

/**
 * The end of the word that begins at `start`, or `start` when none does. A word is letters, digits, marks and
 * underscores; it also ends where a script with blanks between its words meets one without. Much faster than a regular
 * expression, which would make an object for each word of a text.
 */
export function wordEnd(text: string, start: number): number {
  let end = start;
  let script: number = kinds.attached;
  while (end < text.length) {
    const code = text.charCodeAt(end);
    let kind = kindOfUnit[code]!;
    let length = 1;
    if (kind === kinds.unknown) {
      // Compiled code of some Node versions looks for the second half of a pair beyond the end of a sliced string.
      const point = end + 1 < text.length ? text.codePointAt(end)! : code;
      kind = kindOf(String.fromCodePoint(point));
      if (point > 0xffff) length = 2;
      else if (code < 0xd800 || code > 0xdfff) kindOfUnit[code] = kind;
    }
    if (kind === kinds.between) break;
    if (kind !== kinds.attached) {
      if (script !== kinds.attached && kind !== script) break;
      script = kind;
    }
    end += length;
  }
  return end;
}

/** Of U+0080 to U+017F, the numbers among them included. */
function isLatinLetter(code: number): boolean {
  if (code >= 0xc0) return code !== 0xd7 && code !== 0xf7;
  return "ª²³µ¹º¼½¾".includes(String.fromCharCode(code));
}

/** Whether some character of the word is of a script that writes without blanks. */
export function isUnspaced(word: string): boolean {
  return !isAscii(word) && unspaced.test(word);
}

function kindOf(character: string): number {
  if (attached.test(character)) return kinds.attached;
  if (!letter.test(character)) return kinds.between;
  return unspaced.test(character) ? kinds.unspaced : kinds.spaced;
}
