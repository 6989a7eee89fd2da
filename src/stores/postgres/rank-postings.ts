import { type Corpus, createBm25, weigh } from "../bm25.ts";
import { blockOf, blockSize, visitPostings } from "./postings.ts";

/** Rows of `postings`, of one word. */
export type PostingRows = readonly { readonly block: number; readonly entries: Buffer }[];

/** How often a clause of several words stands in each chunk that has it, and how many tokens the chunk has. */
export type ClauseMatches = ReadonlyMap<number, { readonly often: number; readonly tokenCount: number }>;

/** Adds up what clauses say about chunks, by BM25 as SQLite's FTS5 works it out. */
export function createRanking({ headWeight, ...corpus }: Corpus & { readonly headWeight: number }) {
  const { rarityOf, score } = createBm25(corpus);
  /** Scores of one block of keys each: a hundred thousand entries of a map would take ten times as long. */
  const blocks = new Map<number, Float64Array>();

  const scoresOf = (block: number): Float64Array => {
    const known = blocks.get(block);
    if (known !== undefined) return known;
    const scores = new Float64Array(blockSize);
    blocks.set(block, scores);
    return scores;
  };

  return {
    addWord: (rows: PostingRows, count: number): void => {
      const weight = rarityOf(count);
      for (const { block, entries } of rows) {
        const scores = scoresOf(block);
        const first = block * blockSize;
        visitPostings(block, entries, (key, tokenCount, body, head) => {
          scores[key - first]! += weight * score(weigh(body, head, headWeight), tokenCount);
        });
      }
    },
    addMatches: (matches: ClauseMatches): void => {
      const weight = rarityOf(matches.size);
      for (const [key, { often, tokenCount }] of matches) {
        scoresOf(blockOf(key))[key % blockSize]! += weight * score(often, tokenCount);
      }
    },
    /** Keys of the best chunks, best first, equal ones in their order. */
    best: (most: number): number[] => selectBest(blocks, most),
  };
}

/** A heap of the best so far, the worst of them on top: most chunks are worse than that and cost one comparison. */
function selectBest(blocks: ReadonlyMap<number, Float64Array>, most: number): number[] {
  if (most < 1) return [];
  const keys: number[] = [];
  const scores: number[] = [];
  const isWorse = (left: number, right: number): boolean =>
    scores[left]! < scores[right]! || (scores[left] === scores[right] && keys[left]! > keys[right]!);
  const swap = (left: number, right: number): void => {
    [keys[left], keys[right]] = [keys[right]!, keys[left]!];
    [scores[left], scores[right]] = [scores[right]!, scores[left]!];
  };
  const sink = (from: number): void => {
    for (let at = from; ; ) {
      let worst = at;
      for (const child of [2 * at + 1, 2 * at + 2])
        if (child < keys.length && isWorse(child, worst)) worst = child;
      if (worst === at) return;
      swap(at, worst);
      at = worst;
    }
  };
  for (const [block, values] of [...blocks].sort(([left], [right]) => left - right)) {
    for (let place = 0; place < blockSize; place++) {
      const value = values[place]!;
      if (value === 0) continue;
      if (keys.length < most) {
        keys.push(block * blockSize + place);
        scores.push(value);
        for (let at = keys.length - 1; at > 0 && isWorse(at, (at - 1) >> 1); at = (at - 1) >> 1) {
          swap(at, (at - 1) >> 1);
        }
      } else if (value > scores[0]!) {
        // Keys ascend, so an equal one that comes later is worse.
        [keys[0], scores[0]] = [block * blockSize + place, value];
        sink(0);
      }
    }
  }
  return [...keys.keys()].sort((left, right) => (isWorse(left, right) ? 1 : -1)).map((at) => keys[at]!);
}
