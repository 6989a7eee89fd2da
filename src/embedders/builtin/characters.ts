import { isAscii } from "../../text/ascii.ts";
import { once } from "../../text/once.ts";

export interface NormaliserOptions {
  /** Drop control characters; the kinds of white space become blanks either way. */
  readonly cleanText: boolean;
  /** Each Chinese character is a word. */
  readonly isolateChinese: boolean;
  readonly stripAccents: boolean;
  readonly lowerCase: boolean;
}

/**
 * What a character becomes before words are cut into pieces, with a blank wherever a word ends: `É` becomes `e`, a
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
    // One character at a time, because a whole word would turn its last sigma into another letter.
    const folded = lowerCase ? part.toLowerCase() : part;
    rewritten += punctuation().test(folded) ? ` ${folded} ` : folded;
  }
  return alone ? ` ${rewritten} ` : rewritten;
}

/** The same for ASCII: expressions with Unicode classes would take most of the time of opening a model. */
function rewriteAscii(character: string, { cleanText, lowerCase }: NormaliserOptions): string {
  if (cleanText && /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(character)) return "";
  if (/\s/.test(character)) return " ";
  const folded = lowerCase ? character.toLowerCase() : character;
  return /[!-/:-@[-`{-~]/.test(folded) ? ` ${folded} ` : folded;
}

/** The same for the letters, vowel signs and accents of many scripts: none is dropped, a blank or punctuation. */
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
/** Those among them, and among their parts, that are marks without a width. */
const usualAccent =
  /[\u0300-\u036f\u064b-\u065f\u0900-\u0902\u093a\u093c\u0941-\u0948\u094d\u0951-\u0957\u0962\u0963\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u3099\u309a]/;
const usualPunctuation =
  /^[\u00a1\u00a7\u00ab\u00b6\u00b7\u00bb\u00bf\u0964\u0965\u2010-\u2027\u3001-\u3003\u3008-\u3011\uff0c]/;

const dropped = once(() => /^(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\uFFFD]/u);
/** All that Unicode calls white space. */
const whiteSpace = /^[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;
const accent = once(() => /^\p{Mn}/u);
/** Outside ASCII the signs for money, sums and the like are part of words; inside ASCII they are punctuation. */
const punctuation = once(() => /^[\p{P}$+<=>^`|~]/u);
const chinese =
  /^[\u3400-\u4DBF\u4E00-\u9FFF\uF900-\uFAFF\u{20000}-\u{2A6DF}\u{2A700}-\u{2CEAF}\u{2F800}-\u{2FA1F}]/u;
