import type { Place } from "./question.ts";

/** In the order in which they are shown; each is a mean over questions, 1 is best, except for `empty`. */
export const metricNames = [
  "nDCG@10",
  "MRR@10",
  "recall@5",
  "recall@4000c",
  "hit@5",
  "recall@10",
  "recall@1",
  "empty",
] as const;

export type MetricName = (typeof metricNames)[number];
export type Metrics = Readonly<Record<MetricName, number>>;

/**
 * Scores a list of hits, best first. A hit counts for a gold place when it is in the same file and shares a line with
 * it; each gold place counts once, at its first hit. `charsOf` returns the length of a hit's lines.
 *
 * - recall@k: share of the gold places among the first k hits. hit@5: 1 when it is not 0 for k = 5.
 * - recall@4000c: share among the first hits that together have at most 4,000 characters. A list of huge hits finds
 *   much in its first five, but an agent pays for every character.
 * - MRR@10: 1 / rank of the first hit that counts. nDCG@10: sum of 1 / log2(1 + rank) over the gold places, divided by
 *   what it would be with all of them on top; a hit that repeats what was found earns nothing.
 */
export function scoreHits(
  hits: readonly Place[],
  gold: readonly Place[],
  charsOf: (hit: Place) => number,
): Metrics {
  const ranks = gold.map((place) => rankOf(place, hits));
  const best = Math.min(...ranks);
  const recallAt = (k: number): number => ranks.filter((rank) => rank <= k).length / gold.length;
  const gains = ranks.filter((rank) => rank <= 10).map(gainAt);
  const ideal = gold.slice(0, 10).map((_, index) => gainAt(index + 1));
  return {
    "nDCG@10": Math.min(1, sumOf(gains) / sumOf(ideal)),
    "MRR@10": best <= 10 ? 1 / best : 0,
    "recall@5": recallAt(5),
    "recall@4000c": recallAt(countWithin(hits, charsOf, 4000)),
    "hit@5": best <= 5 ? 1 : 0,
    "recall@10": recallAt(10),
    "recall@1": recallAt(1),
    empty: hits.length === 0 ? 1 : 0,
  };
}

function rankOf(place: Place, hits: readonly Place[]): number {
  const index = hits.findIndex(
    (hit) => hit.path === place.path && hit.startLine <= place.endLine && hit.endLine >= place.startLine,
  );
  return index < 0 ? Number.POSITIVE_INFINITY : index + 1;
}

function gainAt(rank: number): number {
  return 1 / Math.log2(1 + rank);
}

/** How many hits from the top fit whole into `maxChars`. */
function countWithin(hits: readonly Place[], charsOf: (hit: Place) => number, maxChars: number): number {
  let used = 0;
  const tooMuch = hits.findIndex((hit) => {
    used += charsOf(hit);
    return used > maxChars;
  });
  return tooMuch < 0 ? hits.length : tooMuch;
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

/**
 * Counts the characters of line ranges, with one for each line break; missing lines have none. The lines of a text are
 * counted once, because hits share notes.
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
