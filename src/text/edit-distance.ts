/**
 * Optimal string alignment distance: insertions, deletions, substitutions and transpositions of neighbours. Returns
 * `limit + 1` as soon as the distance must exceed `limit`.
 */
export function editDistance(left: string, right: string, limit = Number.POSITIVE_INFINITY): number {
  if (Math.abs(left.length - right.length) > limit) return limit + 1;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, j) => j);
  for (let i = 1; i <= left.length; i++) {
    const current = [i];
    for (let j = 1; j <= right.length; j++) {
      const isEqual = left[i - 1] === right[j - 1];
      let slips = Math.min(previous[j]! + 1, current[j - 1]! + 1, previous[j - 1]! + (isEqual ? 0 : 1));
      const isSwapped = i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1];
      if (isSwapped) slips = Math.min(slips, beforePrevious[j - 2]! + 1);
      current.push(slips);
    }
    if (Math.min(...current) > limit) return limit + 1;
    beforePrevious = previous;
    previous = current;
  }
  return Math.min(previous[right.length]!, limit + 1);
}
