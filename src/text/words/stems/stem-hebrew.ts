import { readEndings, stripEndings } from "./stem-endings.ts";

/**
 * Takes plural, feminine and adjective endings, then the prefixed article, conjunction and prepositions off
 * a Hebrew word. The prefix letters also begin many roots, so all but the article must leave four letters;
 * whatever comes off a bare word comes off its prefixed forms as well. מ and ש begin too many nouns and go
 * only before an article. Final letters become plain ones: the end of a stem is not the end of a word.
 */
export function stemHebrew(word: string): string {
  let stem = stripEndings(
    word.replace(/[ךםןףץ]/g, (letter) => plainLetters[letter]!),
    endings,
  );
  for (;;) {
    const shorter = stem.replace(prefix, "");
    if (shorter === stem) return stem;
    stem = shorter;
  }
}

const prefix = /^(?:[ושמ]?ה(?=...)|[ובלכ](?=....))/;

const endings = readEndings(`
  3 ימ
  4 ות ה ת י
`);

const plainLetters: Readonly<Record<string, string>> = { ך: "כ", ם: "מ", ן: "נ", ף: "פ", ץ: "צ" };
