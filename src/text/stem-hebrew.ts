import { readEndings, stripEnding } from "./stem-endings.ts";

/**
 * Takes plural and feminine endings, then the prefixed article, conjunction and prepositions off a Hebrew word. The
 * prefix letters also begin many roots, so all but the article must leave four letters; whatever comes off a bare
 * word comes off its prefixed forms as well. Final letters become plain ones: the end of a stem is not the end of a
 * word.
 */
export function stemHebrew(word: string): string {
  let stem = stripEnding(
    word.replace(/[ךםןףץ]/g, (letter) => plainLetters[letter]!),
    endings,
  );
  for (let shorter = stripPrefix(stem); shorter !== stem; shorter = stripPrefix(stem)) stem = shorter;
  return stem;
}

const endings = readEndings(`
  3 ימ ות
  4 ה ת יות יימ ית
`);

const plainLetters: Readonly<Record<string, string>> = { ך: "כ", ם: "מ", ן: "נ", ף: "פ", ץ: "צ" };

function stripPrefix(word: string): string {
  return word.replace(/^(?:[ושמכבל]?ה(?=...)|[ובלמכש](?=....))/, "");
}
