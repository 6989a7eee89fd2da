/**
 * The language that the Chinese, Japanese or Korean characters of a text belong to. Browsers choose glyphs by it: the
 * same code point is drawn differently in Chinese and in Japanese.
 */
export function languageOf(text: string): "zh" | "ja" | "ko" | undefined {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return "ja";
  if (/\p{Script=Hangul}/u.test(text)) return "ko";
  return /\p{Script=Han}/u.test(text) ? "zh" : undefined;
}
