import type { Place } from "./question.ts";

/**
 * Counts the characters of line ranges, a line break counting one; what does not exist has none. The lines of a text
 * are counted once, because the same notes are found again and again.
 */
export function createLineChars(readText: (path: string) => string | null): (place: Place) => number {
  const known = new Map<string, readonly number[]>();

  /** Characters before each line, and at the end those of all. */
  function startsOf(path: string): readonly number[] {
    let starts = known.get(path);
    if (starts === undefined) {
      let chars = 0;
      const lines = readText(path)?.split("\n") ?? [];
      starts = [0, ...lines.map((line) => (chars += line.length + 1))];
      known.set(path, starts);
    }
    return starts;
  }

  return ({ path, startLine, endLine }) => {
    const starts = startsOf(path);
    const last = starts.length - 1;
    const from = Math.min(startLine - 1, last);
    const to = Math.min(endLine, last);
    return Math.max(0, starts[to]! - starts[from]!);
  };
}
