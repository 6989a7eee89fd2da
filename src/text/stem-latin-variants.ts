import { stemEnglish } from "./stem-english.ts";

/**
 * Index tokens that other forms of a folded Latin-script word may have, likeliest first, without the word's own. The
 * index stems every Latin word as if it were English; a question makes up for that here, by swapping the endings that
 * alternate in the question's language. Without a language all of them are tried. English and words of four letters
 * or less give none. The caller keeps what its vocabulary knows, so a form that nobody writes costs a look-up only.
 */
export function latinVariants(folded: string, language?: string): string[] {
  if (folded.length <= 4 || language === "en" || !/^[a-z]+$/.test(folded)) return [];
  const own = stemEnglish(folded);
  const found = new Set<string>();
  const families =
    language === undefined ? Object.values(endingFamilies).flat() : (endingFamilies[language] ?? []);
  for (const family of families) {
    for (const form of formsIn(folded, family)) {
      const token = stemEnglish(form);
      if (token !== own) found.add(token);
    }
  }
  return [...found].slice(0, mostVariants);
}

const mostVariants = 12;

/** What stays must be recognisable: three letters before an ending, four before none. */
function formsIn(word: string, family: readonly string[]): string[] {
  const ending = family
    .filter((candidate) => word.endsWith(candidate) && word.length - candidate.length >= 3)
    .reduce((longest, candidate) => (candidate.length >= longest.length ? candidate : longest), "\n");
  if (ending === "\n") return [];
  const stem = word.slice(0, word.length - ending.length);
  return family
    .filter((other) => other !== ending && stem.length + other.length >= 4)
    .map((other) => stem + other);
}

/** Endings that stand for each other, a family a line; "-" is no ending. */
const endingFamilies: Readonly<Record<string, readonly (readonly string[])[]>> = {
  de: families(`
    - e en er es em n s t te ten ern st
    ung ungen`),
};

function families(table: string): string[][] {
  return table
    .trim()
    .split("\n")
    .map((line) =>
      line
        .trim()
        .split(/\s+/)
        .map((ending) => (ending === "-" ? "" : ending)),
    );
}
