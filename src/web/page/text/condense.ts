export type Mark = readonly [start: number, end: number];

export interface SnippetLine {
  readonly text: string;
  /** Within this line. */
  readonly marks: readonly Mark[];
  /** Lines were left out before it. */
  readonly followsGap: boolean;
}

/**
 * The lines of a snippet that are worth looking at first: those with the most different stretches marked, and what
 * stands around them, in their order. Blank lines are left out, and those that `isSkipped` names by their text and index.
 */
export function condense(
  snippet: string,
  marks: readonly Mark[],
  {
    maxLines,
    isSkipped = () => false,
  }: { maxLines: number; isSkipped?: (text: string, index: number) => boolean },
): SnippetLine[] {
  let offset = 0;
  const lines = snippet.split("\n").map((text, index) => {
    const start = offset;
    offset += text.length + 1;
    const own = marks
      .filter(([from, to]) => from < start + text.length && to > start)
      .map(([from, to]): Mark => [Math.max(0, from - start), Math.min(text.length, to - start)]);
    const words = new Set(own.map(([from, to]) => text.slice(from, to).toLowerCase()));
    return { index, text, marks: own, weight: words.size };
  });
  const written = lines.filter(({ text, index }) => text.trim() !== "" && !isSkipped(text, index));
  // A line beside a good one explains it; of equal ones the first is read first.
  const rating = (at: number): number =>
    (written[at]?.weight ?? 0) * 4 + (written[at - 1]?.weight ?? 0) + (written[at + 1]?.weight ?? 0);
  const chosen = written
    .map((line, at) => ({ line, at, rating: rating(at) }))
    .sort((a, b) => b.rating - a.rating || a.at - b.at)
    .slice(0, maxLines)
    .sort((a, b) => a.at - b.at);
  return chosen.map(({ line, at }, place) => ({
    text: line.text,
    marks: line.marks,
    followsGap: at !== (place === 0 ? 0 : chosen[place - 1]!.at + 1),
  }));
}
