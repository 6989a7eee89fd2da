import { type CommonRun, commonRuns } from "./diff.ts";

interface MergedLines {
  readonly lines: readonly string[];
  /** The number of places where both versions changed the same lines; both are kept there, between conflict markers. */
  readonly conflicts: number;
}

export const conflictMarks = { mine: "<<<<<<< mine", between: "=======", theirs: ">>>>>>> theirs" } as const;

/**
 * A three-way merge. Lines that only one side changed come from that side; if both changed them, both versions are
 * kept. No line of either side is ever lost.
 */
export function mergeLines(
  base: readonly string[],
  mine: readonly string[],
  theirs: readonly string[],
): MergedLines {
  const merged: string[] = [];
  let conflicts = 0;
  let at = { base: 0, mine: 0, theirs: 0 };
  for (const anchor of anchors(base, mine, theirs)) {
    const old = base.slice(at.base, anchor.base);
    const own = mine.slice(at.mine, anchor.mine);
    const other = theirs.slice(at.theirs, anchor.theirs);
    if (equal(own, other) || equal(other, old)) merged.push(...own);
    else if (equal(own, old)) merged.push(...other);
    else {
      conflicts++;
      merged.push(conflictMarks.mine, ...own, conflictMarks.between, ...other, conflictMarks.theirs);
    }
    if (anchor.base < base.length) merged.push(base[anchor.base]!);
    at = { base: anchor.base + 1, mine: anchor.mine + 1, theirs: anchor.theirs + 1 };
  }
  return { lines: merged, conflicts };
}

interface Anchor {
  readonly base: number;
  readonly mine: number;
  readonly theirs: number;
}

/** Lines of the base that all three versions share, in order, followed by the end of all three. */
function anchors(base: readonly string[], mine: readonly string[], theirs: readonly string[]): Anchor[] {
  const inMine = places(commonRuns(base, mine));
  const inTheirs = places(commonRuns(base, theirs));
  const found: Anchor[] = [];
  for (const [line, own] of inMine) {
    const other = inTheirs.get(line);
    if (other !== undefined) found.push({ base: line, mine: own, theirs: other });
  }
  return [...found, { base: base.length, mine: mine.length, theirs: theirs.length }];
}

function places(runs: readonly CommonRun[]): Map<number, number> {
  return new Map(
    runs.flatMap(({ left, right, length }) =>
      Array.from({ length }, (_, offset): [number, number] => [left + offset, right + offset]),
    ),
  );
}

function equal(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((line, index) => line === right[index]);
}
