import { once } from "../../once.ts";

/** The endings of a language, each with the number of characters that must stay in front of it. */
export type Endings = () => {
  readonly longest: number;
  readonly charactersLeft: ReadonlyMap<string, number>;
};

/** Reads lines such as `3 ами ями ой`: the characters that must stay, then the endings. */
export function readEndings(table: string): Endings {
  return once(() => {
    const charactersLeft = new Map<string, number>();
    for (const line of table.trim().split("\n")) {
      const [left, ...endings] = line.trim().split(/\s+/);
      for (const ending of endings) charactersLeft.set(ending, Number(left));
    }
    const lengths = [...charactersLeft.keys()].map((ending) => ending.length);
    return { longest: Math.max(...lengths), charactersLeft };
  });
}

/** The word without the longest of the endings that leaves enough of it, or the word itself. */
export function stripEnding(word: string, endings: Endings, isStem = isAnyStem): string {
  const { longest, charactersLeft } = endings();
  for (let length = Math.min(longest, word.length - 1); length > 0; length--) {
    const left = charactersLeft.get(word.slice(-length));
    if (left === undefined || word.length - length < left) continue;
    const stem = word.slice(0, -length);
    if (isStem(stem)) return stem;
  }
  return word;
}

/**
 * Strips until nothing more comes off, so that a stem is its own stem and stacked endings fall one by one.
 */
export function stripEndings(word: string, endings: Endings, isStem = isAnyStem): string {
  let stem = word;
  for (;;) {
    const shorter = stripEnding(stem, endings, isStem);
    if (shorter === stem) return stem;
    stem = shorter;
  }
}

function isAnyStem(_stem: string): boolean {
  return true;
}
