/**
 * Porter's suffix stripping (M. F. Porter, 1980) for words of plain a–z. Applied to every Latin-script word, whatever
 * its language: index and query agree, and on German and Romance notes it measurably helps.
 */
export function stemEnglish(word: string): string {
  if (word.length < 3) return word;
  let stem = stripPlural(word);
  stem = stripPastAndGerund(stem);
  if (stem.endsWith("y") && hasVowel(stem.slice(0, -1))) stem = `${stem.slice(0, -1)}i`;
  stem = replaceSuffix(stem, doubleSuffixes);
  stem = replaceSuffix(stem, adjectiveSuffixes);
  stem = stripDerivation(stem);
  return tidyEnd(stem);
}

const doubleSuffixes = byLastLetter([
  ["ational", "ate"],
  ["ization", "ize"],
  ["iveness", "ive"],
  ["fulness", "ful"],
  ["ousness", "ous"],
  ["tional", "tion"],
  ["biliti", "ble"],
  ["entli", "ent"],
  ["ousli", "ous"],
  ["ation", "ate"],
  ["alism", "al"],
  ["aliti", "al"],
  ["iviti", "ive"],
  ["enci", "ence"],
  ["anci", "ance"],
  ["izer", "ize"],
  ["alli", "al"],
  ["ator", "ate"],
  ["logi", "log"],
  ["bli", "ble"],
  ["eli", "e"],
]);

const adjectiveSuffixes = byLastLetter([
  ["icate", "ic"],
  ["ative", ""],
  ["alize", "al"],
  ["iciti", "ic"],
  ["ical", "ic"],
  ["ness", ""],
  ["ful", ""],
]);

const derivations = byLastLetter(
  [
    "ement",
    "ance",
    "ence",
    "able",
    "ible",
    "ment",
    "ant",
    "ent",
    "ism",
    "ate",
    "iti",
    "ous",
    "ive",
    "ize",
    "ion",
    "al",
    "er",
    "ic",
    "ou",
  ].map((suffix) => [suffix, ""] as const),
);

function stripPlural(word: string): string {
  if (!word.endsWith("s")) return word;
  if (word.endsWith("sses") || word.endsWith("ies")) return word.slice(0, -2);
  return word.endsWith("ss") ? word : word.slice(0, -1);
}

function stripPastAndGerund(word: string): string {
  if (word.endsWith("eed")) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const cut = word.endsWith("ed") ? 2 : word.endsWith("ing") ? 3 : 0;
  if (cut === 0 || !hasVowel(word.slice(0, -cut))) return word;
  const stem = word.slice(0, -cut);
  if (stem.endsWith("at") || stem.endsWith("bl") || stem.endsWith("iz")) return `${stem}e`;
  if (endsInDoubleConsonant(stem) && !/[lsz]$/.test(stem)) return stem.slice(0, -1);
  return measure(stem) === 1 && endsInShortSyllable(stem) ? `${stem}e` : stem;
}

type Suffixes = ReadonlyMap<string, readonly (readonly [suffix: string, replacement: string])[]>;

/** Compares a word only with the few suffixes that have its last letter, in the given order. */
function byLastLetter(table: readonly (readonly [string, string])[]): Suffixes {
  return Map.groupBy(table, ([suffix]) => suffix.at(-1)!);
}

function replaceSuffix(word: string, table: Suffixes): string {
  for (const [suffix, replacement] of table.get(word.at(-1)!) ?? []) {
    if (!word.endsWith(suffix)) continue;
    const stem = word.slice(0, -suffix.length);
    return measure(stem) > 0 ? stem + replacement : word;
  }
  return word;
}

function stripDerivation(word: string): string {
  for (const [suffix] of derivations.get(word.at(-1)!) ?? []) {
    if (!word.endsWith(suffix)) continue;
    const stem = word.slice(0, -suffix.length);
    if (measure(stem) <= 1) return word;
    return suffix === "ion" && !/[st]$/.test(stem) ? word : stem;
  }
  return word;
}

function tidyEnd(word: string): string {
  let stem = word;
  if (stem.endsWith("e")) {
    const shorter = stem.slice(0, -1);
    const m = measure(shorter);
    if (m > 1 || (m === 1 && !endsInShortSyllable(shorter))) stem = shorter;
  }
  return stem.endsWith("ll") && measure(stem.slice(0, -1)) > 1 ? stem.slice(0, -1) : stem;
}

function isConsonant(word: string, index: number): boolean {
  switch (word[index]) {
    case "a":
    case "e":
    case "i":
    case "o":
    case "u":
      return false;
    case "y":
      return index === 0 || !isConsonant(word, index - 1);
    default:
      return true;
  }
}

/** How often a vowel run is followed by a consonant run. */
function measure(stem: string): number {
  let count = 0;
  let afterVowel = false;
  for (let i = 0; i < stem.length; i++) {
    const consonant = isConsonant(stem, i);
    if (consonant && afterVowel) count++;
    afterVowel = !consonant;
  }
  return count;
}

function hasVowel(stem: string): boolean {
  for (let i = 0; i < stem.length; i++) if (!isConsonant(stem, i)) return true;
  return false;
}

function endsInDoubleConsonant(stem: string): boolean {
  const last = stem.length - 1;
  return last > 0 && stem[last] === stem[last - 1] && isConsonant(stem, last);
}

/** Consonant, vowel, consonant, the last one not w, x or y: "hop", but not "snow". */
function endsInShortSyllable(stem: string): boolean {
  const last = stem.length - 1;
  if (last < 2) return false;
  return (
    isConsonant(stem, last) &&
    !isConsonant(stem, last - 1) &&
    isConsonant(stem, last - 2) &&
    !/[wxy]$/.test(stem)
  );
}
