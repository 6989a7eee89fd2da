/** A word of another script has about as many letters. */
const lettersPerCharacter = 3;

/**
 * The language of a text that is mostly Chinese, Japanese or Korean. Browsers choose glyphs by it: the same code point
 * is drawn differently in Chinese and in Japanese. A name in an English note does not count, because browsers choose
 * the font of the English by it, too, and screen readers the voice.
 */
export function languageOf(text: string): "zh" | "ja" | "ko" | undefined {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const own =
    text.match(/[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Han}]/gu)?.length ?? 0;
  if (own * lettersPerCharacter < letters - own) return undefined;
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return "ja";
  if (/\p{Script=Hangul}/u.test(text)) return "ko";
  return /\p{Script=Han}/u.test(text) ? "zh" : undefined;
}
