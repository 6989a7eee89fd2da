import { blankOrigins } from "../text/entry-line.ts";

/**
 * Returns a function that says whether some line of a text already covers a sentence: it has all content words in the
 * same order and the same number of denials. A different name, day, number or direction is new, and so is the opposite.
 */
export function createCoverage(text: string): (sentence: string) => boolean {
  const lines = text
    .split("\n")
    .map((line) => unitsOf(blankOrigins(line)))
    .filter((units) => units.length > 0);
  const linesWith = new Map<string, Set<number>>();
  for (const [at, units] of lines.entries()) {
    for (const unit of units) {
      const places = linesWith.get(unit) ?? new Set();
      linesWith.set(unit, places.add(at));
    }
  }
  return (sentence) => {
    const wanted = unitsOf(sentence);
    if (wanted.length === 0) return true;
    // The rarest word leads to few lines, however long the text is.
    const places = wanted.map((unit) => linesWith.get(unit) ?? none);
    const [fewest = none] = places.toSorted((a, b) => a.size - b.size);
    return [...fewest].some((at) => covers(lines[at]!, wanted));
  };
}

const none: ReadonlySet<number> = new Set();

function covers(line: readonly string[], wanted: readonly string[]): boolean {
  if (countDenials(line) !== countDenials(wanted)) return false;
  let at = 0;
  for (const unit of line) if (unit === wanted[at]) at++;
  return at === wanted.length;
}

export function countDenials(units: readonly string[]): number {
  return units.filter((unit) => denials.has(unit)).length;
}

/** Words that reverse the meaning of a sentence. */
const denials = new Set(
  "no not never none nobody nothing without cannot nie nicht kein keine keinen niemals ohne non pas jamais sans nunca sin ninguno ya plus".split(
    " ",
  ),
);

/** Function words in Latin script. Other short words may matter: "AWS", "on", "up". */
const functionWords = new Set(
  (
    "a an the is are was were be been am s re ve ll d m t of and or that this it we i you our my your us me he she they their has have had do does did will would so then just now ok okay yes well " +
    "der die das den dem des ein eine einen einem ist sind war und oder wir ich du sie es uns mein meine haben hat habe " +
    "el la los las un una es son y o que de nos se lo mi he hemos ha " +
    "le les des du une est sont et ou on nous je tu il elle ce cette a ai avons l j c"
  ).split(" "),
);

/** Content words, numbers, and pairs of characters in scripts without spaces. */
export function unitsOf(text: string): string[] {
  return sentenceKey(text.replace(/n['’]t(?!\p{L})/gu, " not"))
    .split(" ")
    .flatMap((word) => {
      if (word === "") return [];
      if (!/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(word))
        return functionWords.has(word) ? [] : [word];
      return Array.from({ length: Math.max(1, word.length - 1) }, (_, at) => word.slice(at, at + 2));
    });
}

/** Equal for sentences that differ only in case, spacing, punctuation or list bullets. */
export function sentenceKey(sentence: string): string {
  return sentence
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
