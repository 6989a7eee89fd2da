/** A word in another script has about as many letters. */
const lettersPerCharacter = 3;

/**
 * The language of a text that is mostly Chinese, Japanese or Korean. Browsers choose glyphs by it: the same code point
 * is drawn differently in Chinese and Japanese. A single name in an English note does not count, because the language
 * also selects the font of the English text and the voice of a screen reader.
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
