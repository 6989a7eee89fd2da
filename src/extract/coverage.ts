import { blankOrigins } from "../text/entry-line.ts";

/**
 * Says whether some line of a text has every telling word of a sentence in the same order, and denies no more and no
 * less, so that it need not be written down again: whoever wrote the line has said it already. A different name, day,
 * number or direction is something new, and so is the opposite.
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

/** They turn a sentence round. */
const denials = new Set(
  "no not never none nobody nothing without cannot nie nicht kein keine keinen niemals ohne non pas jamais sans nunca sin ninguno ya plus".split(
    " ",
  ),
);

/** Words that say nothing by themselves, in Latin script. Others may be short and yet tell: "AWS", "on", "up". */
const empty = new Set(
  (
    "a an the is are was were be been am s re ve ll d m t of and or that this it we i you our my your us me he she they their has have had do does did will would so then just now ok okay yes well " +
    "der die das den dem des ein eine einen einem ist sind war und oder wir ich du sie es uns mein meine haben hat habe " +
    "el la los las un una es son y o que de nos se lo mi he hemos ha " +
    "le les des du une est sont et ou on nous je tu il elle ce cette a ai avons l j c"
  ).split(" "),
);

/** Words that tell something, every number, and of scripts without spaces pairs of characters. */
export function unitsOf(text: string): string[] {
  return sentenceKey(text.replace(/n['’]t(?!\p{L})/gu, " not"))
    .split(" ")
    .flatMap((word) => {
      if (word === "") return [];
      if (!/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(word)) return empty.has(word) ? [] : [word];
      return Array.from({ length: Math.max(1, word.length - 1) }, (_, at) => word.slice(at, at + 2));
    });
}

/** The same for sentences that differ in case, spacing, marks or list bullets only. */
export function sentenceKey(sentence: string): string {
  return sentence
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
