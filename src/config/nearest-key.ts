/** Longer keys are cut before they are compared: they resemble nothing, and time must not depend on them. */
const MAX_COMPARED_CHARS = 64;

/** The known key that resembles `key` most, or null when none does. Of equally near ones the first wins. */
export function nearestKey(key: string, known: readonly string[]): string | null {
  const wanted = plain(key);
  let nearest: string | null = null;
  let smallest = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const distance = editDistance(wanted, plain(candidate));
    // More than a third of the letters wrong is a different word, not a slip.
    const allowed = Math.max(1, Math.floor(Math.max(wanted.length, candidate.length) / 3));
    if (distance <= allowed && distance < smallest) {
      nearest = candidate;
      smallest = distance;
    }
  }
  return nearest;
}

/** How many letters to insert, delete, replace or swap with their neighbour to get from `a` to `b`. */
export function editDistance(a: string, b: string): number {
  const width = b.length + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: width }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column < width; column++) {
      const same = a[row - 1] === b[column - 1];
      let best = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + (same ? 0 : 1));
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) best = Math.min(best, beforeLast[column - 2]! + 1);
      current.push(best);
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length]!;
}

/** `max_results` and `MaxResults` are slips of spelling, not other words. */
function plain(key: string): string {
  return key.slice(0, MAX_COMPARED_CHARS).toLowerCase().replaceAll(/[-_]/g, "");
}
