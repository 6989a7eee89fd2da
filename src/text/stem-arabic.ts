import { readEndings, stripEndings } from "./stem-endings.ts";

/**
 * A light stemmer for folded Arabic, Persian and Urdu: the joined conjunction, preposition and article in front,
 * number, gender and possessor behind. Three letters stay, as many as a root has.
 */
export function stemArabic(word: string): string {
  const bare = word.replace(article, "").replace(conjunction, "");
  return stripEndings(bare, endings);
}

const article = /^(?:[وف]?(?:[بك]?ال|لل))(?=...)/;

/** A leading و is a root letter in short words and in the stems listed. */
const conjunction = new RegExp(
  `^و(?=....)(?!${`زار زراء ثيق ثاءق لاي لادي ضع صول صف فا فد اجب اقع احد الد سط ساءل سايل ظيف ظاءف ظايف كال جود جه حد رق قود قاي يكي
  يندوز يلز اشنطن ارسو`
    .trim()
    .split(/\s+/)
    .join("|")})`,
);

const endings = readEndings(`
  3 ه ي ها هم هن نا كم ات يه تها ته تهم تنا تي اتها اته اتهم هاي هايي هايش
  4 ان ون ين تان تين يين يون تر ترين
`);
