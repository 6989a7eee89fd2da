import { readEndings, stripEndings } from "./stem-endings.ts";

/**
 * A light stemmer for folded Arabic, Persian and Urdu: the joined conjunction, preposition and article in
 * front, number, gender and possessor behind. Three letters stay, as many as a root has.
 */
export function stemArabic(word: string): string {
  const bare = word.replace(article, "").replace(conjunction, "");
  return stripEndings(bare, endings);
}

const article = /^(?:[وف]?(?:[بك]?ال|لل))(?=...)/;

/** A leading و is taken for "and" unless the word would become another one: وزارة and زار. */
const otherWords = "زار زراء ثيق ثايق لاي اجب اقع احد الد سايل ظيف ظايف كال اشنطن ارسو يندوز";
const conjunction = new RegExp(`^و(?=....)(?!${otherWords.replaceAll(" ", "|")})`);

const endings = readEndings(`
  3 ه ي ها هم هن نا كم ات يه تها ته تهم تنا تي اتها اته اتهم هاي هايي هايش
  4 ان ون ين تان تين يين يون تر ترين
`);
