import { once } from "../once.ts";

/**
 * Han, kana, Hangul, Thai, Lao, Khmer and Myanmar write words without spaces (Hangul attaches particles to them). The
 * characters at the end repeat, lengthen or voice the previous one, and have no script of their own.
 */
const unspaced = once(
  () =>
    /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\u3006\u3031-\u3035\u30fc\uff70\uff9e\uff9f]/u,
);
const letter = once(() => /[\p{L}\p{N}\p{Co}_]/u);
/** Marks and invisible characters inside words (soft hyphens, joiners) belong to the letters beside them. */
const attached = once(() => /[\p{M}\u00ad\u200c\u200d]/u);

const kinds = { unknown: 0, between: 1, spaced: 2, unspaced: 3, attached: 4 } as const;

/** By code unit, filled on demand. Surrogates stay unknown, because only the pair tells. */
const kindOfUnit = new Uint8Array(0x10000);
// Most texts are covered without the expressions above, which take milliseconds to compile.
kindOfUnit.fill(kinds.between, 0, 0xc0);
/** By kind, the first and last code of ranges in which every character is of that kind. */
const knownRanges: readonly (readonly [number, readonly number[]])[] = [
  // Western letters and digits.
  [kinds.spaced, [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a, 0xaa, 0xaa, 0xb2, 0xb3, 0xb5, 0xb5]],
  [kinds.spaced, [0xb9, 0xba, 0xbc, 0xbe, 0xc0, 0xd6, 0xd8, 0xf6, 0xf8, 0x17f]],
  [kinds.between, [0xd7, 0xd7, 0xf7, 0xf7]],
  [kinds.attached, [0xad, 0xad]],
  // Greek, Cyrillic, Hebrew, Arabic, Devanagari, and Latin as in Vietnamese.
  [kinds.spaced, [0x180, 0x2c1, 0x388, 0x38a, 0x38e, 0x3a1, 0x3a3, 0x3f5, 0x3f7, 0x481, 0x48a, 0x52f]],
  [kinds.spaced, [0x5d0, 0x5ea, 0x620, 0x64a, 0x660, 0x669, 0x671, 0x6d3, 0x904, 0x939, 0x958, 0x961]],
  [kinds.spaced, [0x386, 0x386, 0x38c, 0x38c, 0x966, 0x96f, 0x1e00, 0x1eff, 0xff10, 0xff19]],
  [kinds.attached, [0x300, 0x36f, 0x483, 0x489, 0x591, 0x5bd, 0x64b, 0x65f, 0x670, 0x670, 0x900, 0x903]],
  [kinds.attached, [0x93a, 0x93c, 0x93e, 0x94f, 0x951, 0x957, 0x962, 0x963, 0xfe00, 0xfe0f]],
  [kinds.attached, [0xe31, 0xe31, 0xe34, 0xe3a, 0xe47, 0xe4e, 0x3099, 0x309a]],
  // Thai, kana, Han, Hangul.
  [kinds.unspaced, [0xe01, 0xe30, 0xe32, 0xe33, 0xe40, 0xe46, 0x3005, 0x3007, 0x3041, 0x3096]],
  [kinds.unspaced, [0x30a1, 0x30fa, 0x30fc, 0x30ff, 0x4e00, 0x9fff, 0xac00, 0xd7a3]],
  [kinds.between, [0x60c, 0x60c, 0x61b, 0x61b, 0x61f, 0x61f, 0x66a, 0x66d, 0x6d4, 0x6d4, 0x964, 0x965]],
  [kinds.between, [0x2010, 0x206f, 0x20a0, 0x20bf, 0x2190, 0x23ff, 0x2500, 0x2775, 0x3000, 0x3004]],
  [kinds.between, [0x3008, 0x3020, 0x30fb, 0x30fb, 0xff01, 0xff0f, 0xff1a, 0xff20]],
];
for (const [kind, ends] of knownRanges) {
  for (let at = 0; at < ends.length; at += 2) kindOfUnit.fill(kind, ends[at], ends[at + 1]! + 1);
}

/**
 * The end of the word that begins at `start`, or `start` if there is none. A word consists of letters, digits, marks
 * and underscores; it also ends between scripts with and without spaces. Much faster than a regular expression, which
 * would create an object per word.
 */
export function wordEnd(text: string, start: number): number {
  let end = start;
  let script: number = kinds.attached;
  while (end < text.length) {
    const code = text.charCodeAt(end);
    let kind = kindOfUnit[code]!;
    let length = 1;
    if (kind === kinds.unknown) {
      // In some versions of Node, compiled code reads the second half of a pair beyond the end of a sliced string.
      const point = end + 1 < text.length ? text.codePointAt(end)! : code;
      kind = isEmoji(point) ? kinds.between : kindOf(String.fromCodePoint(point));
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

/**
 * The same for most words: letters and digits of scripts with spaces, followed by what ends a word. `units` are those of
 * the text, see `code-units.ts`: a loop over an array is quicker than one over a string.
 */
export function plainWordEnd(text: string, units: Uint16Array, start: number): number {
  let end = start;
  while (kindOfUnit[units[end]!] === kinds.spaced) end++;
  return kindOfUnit[units[end]!] === kinds.between ? end : wordEnd(text, start);
}

/** Pictures above the basic plane; there are no letters between them. */
function isEmoji(point: number): boolean {
  return point >= 0x1f300 && point <= 0x1faff;
}

/** Whether a character of the word belongs to a script without spaces. */
export function isUnspaced(word: string): boolean {
  for (let at = 0; at < word.length; at++) {
    const code = word.charCodeAt(at);
    if (code < firstUnspaced) continue;
    const kind = kindOfUnit[code];
    if (kind === kinds.unspaced) return true;
    // A mark may belong to any script.
    if (kind !== kinds.spaced) return unspaced().test(word);
  }
  return false;
}

/** All these scripts come after it. */
const firstUnspaced = 0xe00;

function kindOf(character: string): number {
  if (attached().test(character)) return kinds.attached;
  if (!letter().test(character)) return kinds.between;
  return unspaced().test(character) ? kinds.unspaced : kinds.spaced;
}
