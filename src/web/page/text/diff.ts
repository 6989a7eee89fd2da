/** One row of a diff. A line number is present if that version has the line. */
interface DiffRow {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
  readonly left?: number;
  readonly right?: number;
}

/** A run of lines common to both versions: where it begins in each (from 0), and its length. */
export interface CommonRun {
  readonly left: number;
  readonly right: number;
  readonly length: number;
}

/** The diff between two lists of lines. */
export function diffLines(left: readonly string[], right: readonly string[]): DiffRow[] {
  const rows: DiffRow[] = [];
  let [leftAt, rightAt] = [0, 0];
  const end: CommonRun = { left: left.length, right: right.length, length: 0 };
  for (const run of [...commonRuns(left, right), end]) {
    while (leftAt < run.left) rows.push({ kind: "removed", text: left[leftAt]!, left: ++leftAt });
    while (rightAt < run.right) rows.push({ kind: "added", text: right[rightAt]!, right: ++rightAt });
    for (let taken = 0; taken < run.length; taken++) {
      rows.push({ kind: "same", text: left[leftAt]!, left: ++leftAt, right: ++rightAt });
    }
  }
  return rows;
}

/**
 * Runs of a longest common subsequence, in order (Myers' greedy algorithm). Beyond `maxEdits` differences, the whole
 * middle counts as changed: such a diff helps no reader, and finding it would need quadratic memory.
 */
export function commonRuns(
  left: readonly string[],
  right: readonly string[],
  { maxEdits = 2000 }: { maxEdits?: number } = {},
): CommonRun[] {
  let head = 0;
  const shorter = Math.min(left.length, right.length);
  while (head < shorter && left[head] === right[head]) head++;
  let tail = 0;
  while (tail < shorter - head && left[left.length - 1 - tail] === right[right.length - 1 - tail]) tail++;

  const runs: CommonRun[] = [];
  const add = (leftAt: number, rightAt: number, length: number): void => {
    const last = runs.at(-1);
    if (length === 0) return;
    if (last && last.left + last.length === leftAt && last.right + last.length === rightAt) {
      runs[runs.length - 1] = { ...last, length: last.length + length };
    } else runs.push({ left: leftAt, right: rightAt, length });
  };
  add(0, 0, head);
  const middle = searchMiddle(
    left.slice(head, left.length - tail),
    right.slice(head, right.length - tail),
    maxEdits,
  );
  for (const [leftAt, rightAt] of middle) add(leftAt + head, rightAt + head, 1);
  add(left.length - tail, right.length - tail, tail);
  return runs;
}

/** Pairs of equal lines, in order. */
function searchMiddle(
  left: readonly string[],
  right: readonly string[],
  maxEdits: number,
): [number, number][] {
  if (left.length === 0 || right.length === 0) return [];
  const limit = Math.min(maxEdits, left.length + right.length);
  const reached = new Int32Array(2 * limit + 3);
  const at = (diagonal: number) => diagonal + limit + 1;
  const trail: Int32Array[] = [];
  for (let edits = 0; edits <= limit; edits++) {
    trail.push(reached.slice());
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const down = goesDown(reached, diagonal, edits, at);
      let x = down ? reached[at(diagonal + 1)]! : reached[at(diagonal - 1)]! + 1;
      while (x < left.length && x - diagonal < right.length && left[x] === right[x - diagonal]) x++;
      reached[at(diagonal)] = x;
      if (x >= left.length && x - diagonal >= right.length)
        return walkBack(trail, left.length, right.length, at);
    }
  }
  return [];
}

function goesDown(
  reached: Int32Array,
  diagonal: number,
  edits: number,
  at: (diagonal: number) => number,
): boolean {
  return (
    diagonal === -edits || (diagonal !== edits && reached[at(diagonal - 1)]! < reached[at(diagonal + 1)]!)
  );
}

function walkBack(
  trail: readonly Int32Array[],
  leftLength: number,
  rightLength: number,
  at: (diagonal: number) => number,
): [number, number][] {
  const pairs: [number, number][] = [];
  let [x, y] = [leftLength, rightLength];
  for (let edits = trail.length - 1; edits >= 0; edits--) {
    const reached = trail[edits]!;
    const diagonal = x - y;
    const before = goesDown(reached, diagonal, edits, at) ? diagonal + 1 : diagonal - 1;
    const beforeX = edits === 0 ? 0 : reached[at(before)]!;
    const beforeY = edits === 0 ? 0 : beforeX - before;
    while (x > beforeX && y > beforeY) pairs.push([--x, --y]);
    [x, y] = [beforeX, beforeY];
  }
  return pairs.reverse();
}
