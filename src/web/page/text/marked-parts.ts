export interface MarkedPart {
  readonly text: string;
  readonly isMarked: boolean;
}

/** A text in parts, those in the ranges marked. Ranges may overlap, come in any order, or reach beyond the text. */
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

/** Finds the marked words of a snippet again, in text that shows it differently; null if none is marked. */
export function markedWords(text: string, ranges: readonly (readonly [number, number])[]): RegExp | null {
  // A word that stood alone is not found within a longer one. Words of scripts without spaces never stand alone.
  const words = ranges.map(([from, to]) => {
    const before = isLetter.test(text.slice(0, from).at(-1) ?? "") ? "" : "(?<![\\p{L}\\p{N}])";
    const after = isLetter.test(text.charAt(to)) ? "" : "(?![\\p{L}\\p{N}])";
    return before + text.slice(from, to).replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&") + after;
  });
  // The longest first: of two that begin alike, it is the whole word.
  const known = [...new Set(words)].sort((a, b) => b.length - a.length);
  return known.length === 0 ? null : new RegExp(known.join("|"), "giu");
}

const isLetter = /[\p{L}\p{N}]/u;
