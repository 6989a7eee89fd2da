import type { ChunkFilter } from "./store.ts";

/** One sum per chunk key, in blocks: a map with an entry per key would take ten times as long. */
export function createKeySums(blockSize: number) {
  const blocks = new Map<number, Float64Array>();
  const inOrder = (): [number, Float64Array][] => [...blocks].sort(([left], [right]) => left - right);
  return {
    /** The sums of the keys from `block` × `blockSize` on; callers add to them. */
    ofBlock: (block: number): Float64Array => {
      const known = blocks.get(block);
      if (known !== undefined) return known;
      const sums = new Float64Array(blockSize);
      blocks.set(block, sums);
      return sums;
    },
    /** The keys with the highest sums, highest first, ties by key. Keys with a sum of 0 are left out. */
    best: (limit: number): number[] => {
      const best = createBest(limit);
      for (const [block, sums] of inOrder()) {
        for (let place = 0; place < blockSize; place++) {
          if (sums[place] !== 0) best.offer(block * blockSize + place, sums[place]!);
        }
      }
      return best.inOrder().map(({ key }) => key);
    },
    /** All keys whose sum is at least this, in ascending order. */
    atLeast: (min: number): number[] => {
      const keys: number[] = [];
      for (const [block, sums] of inOrder()) {
        for (let place = 0; place < blockSize; place++) {
          if (sums[place] !== 0 && sums[place]! >= min) keys.push(block * blockSize + place);
        }
      }
      return keys;
    },
  };
}

/**
 * A heap of the best so far with the worst on top: most keys are worse and cost one comparison. Ties go to the lower
 * key; keys are offered in ascending order.
 */
export function createBest(limit: number) {
  const keys: number[] = [];
  const sums: number[] = [];
  const isWorse = (left: number, right: number): boolean =>
    sums[left]! < sums[right]! || (sums[left] === sums[right] && keys[left]! > keys[right]!);
  const swap = (left: number, right: number): void => {
    // Swapping by destructuring allocates two arrays each time.
    const key = keys[left]!;
    const sum = sums[left]!;
    keys[left] = keys[right]!;
    sums[left] = sums[right]!;
    keys[right] = key;
    sums[right] = sum;
  };
  const sink = (from: number): void => {
    for (let at = from; ; ) {
      let worst = at;
      for (let child = 2 * at + 1; child <= 2 * at + 2; child++)
        if (child < keys.length && isWorse(child, worst)) worst = child;
      if (worst === at) return;
      swap(at, worst);
      at = worst;
    }
  };
  return {
    offer: (key: number, sum: number): void => {
      if (keys.length < limit) {
        keys.push(key);
        sums.push(sum);
        for (let at = keys.length - 1; at > 0 && isWorse(at, (at - 1) >> 1); at = (at - 1) >> 1) {
          swap(at, (at - 1) >> 1);
        }
      } else if (keys.length > 0 && sum > sums[0]!) {
        keys[0] = key;
        sums[0] = sum;
        sink(0);
      }
    },
    inOrder: (): { key: number; sum: number }[] =>
      [...keys.keys()]
        .sort((left, right) => (isWorse(left, right) ? 1 : -1))
        .map((at) => ({ key: keys[at]!, sum: sums[at]! })),
  };
}

/** The corpus statistics that BM25 needs. */
export interface Corpus {
  readonly chunks: number;
  readonly tokens: number;
}

/** The constants of FTS5, so that every store prefers the same candidates. */
const k1 = 1.2;
const b = 0.75;
const minRarity = 1e-6;
/** The weight of a token in the headings or the path, relative to one in the text. */
export const headWeight = 0.6;

/** Chooses candidates where there are too many; `search/` scores them afterwards. */
export function createBm25({ chunks, tokens }: Corpus) {
  const average = chunks === 0 ? 1 : Math.max(1, tokens) / chunks;
  return {
    /** Inverse document frequency. */
    idf: (count: number): number => Math.max(minRarity, Math.log((chunks - count + 0.5) / (count + 0.5))),
    score: (frequency: number, tokenCount: number): number =>
      (frequency * (k1 + 1)) / (frequency + k1 * (1 - b + (b * tokenCount) / average)),
  };
}

/** Whether a filter can leave out any chunk. */
export function isFiltering(filter: ChunkFilter | undefined): filter is ChunkFilter {
  return (
    filter !== undefined && Object.values(filter).some((value) => value !== undefined && value !== false)
  );
}

/** A valid LIMIT. SQLite would treat a negative one as none. */
export function atMost(limit: number): number {
  return Number.isNaN(limit) ? 0 : Math.trunc(Math.min(Math.max(limit, 0), 2 ** 31 - 1));
}
