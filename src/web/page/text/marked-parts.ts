interface MarkedPart {
  readonly text: string;
  readonly isMarked: boolean;
}

/**
 * Splits a text into parts, with those in the ranges marked. Ranges may overlap, come in any order, or extend beyond
 * the text.
 */
export function cutIntoParts(text: string, ranges: readonly (readonly [number, number])[]): MarkedPart[] {
  const parts: MarkedPart[] = [];
  let end = 0;
  const add = (to: number, isMarked: boolean): void => {
    if (to > end) parts.push({ text: text.slice(end, to), isMarked });
    end = Math.max(end, to);
  };
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    add(Math.min(from, text.length), false);
    add(Math.min(to, text.length), true);
  }
  add(text.length, false);
  return parts;
}

/** Finds the marked words of a snippet in a differently formatted text; null if none of them occurs. */
export function markedWords(text: string, ranges: readonly (readonly [number, number])[]): RegExp | null {
  // A mark on a whole word does not match within a longer word. Scripts without spaces have no whole words.
  const words = ranges.map(([from, to]) => {
    const before = isLetter.test(text.slice(0, from).at(-1) ?? "") ? "" : "(?<![\\p{L}\\p{N}])";
    const after = isLetter.test(text.charAt(to)) ? "" : "(?![\\p{L}\\p{N}])";
    return before + text.slice(from, to).replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&") + after;
  });
  // Longest first: if one word is the prefix of another, the longer one is the whole word.
  const known = [...new Set(words)].sort((a, b) => b.length - a.length);
  return known.length === 0 ? null : new RegExp(known.join("|"), "giu");
}

const isLetter = /[\p{L}\p{N}]/u;
