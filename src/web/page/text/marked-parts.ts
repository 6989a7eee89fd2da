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
