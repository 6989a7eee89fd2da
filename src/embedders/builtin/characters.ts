import { isAscii } from "../../text/ascii.ts";

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
  if (cleanText && dropped.test(character)) return "";
  if (whiteSpace.test(character)) return " ";
  const alone = isolateChinese && chinese.test(character);
  let rewritten = "";
  for (const part of stripAccents ? character.normalize("NFD") : character) {
    if (stripAccents && accent.test(part)) continue;
    // One character at a time, because a whole word would turn its last sigma into another letter.
    const folded = lowerCase ? part.toLowerCase() : part;
    rewritten += punctuation.test(folded) ? ` ${folded} ` : folded;
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

const dropped = /^(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\uFFFD]/u;
const whiteSpace = /^\p{White_Space}/u;
const accent = /^\p{Mn}/u;
/** Outside ASCII the signs for money, sums and the like are part of words; inside ASCII they are punctuation. */
const punctuation = /^[\p{P}$+<=>^`|~]/u;
const chinese =
  /^[\u3400-\u4DBF\u4E00-\u9FFF\uF900-\uFAFF\u{20000}-\u{2A6DF}\u{2A700}-\u{2CEAF}\u{2F800}-\u{2FA1F}]/u;
