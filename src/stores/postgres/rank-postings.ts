import { type Corpus, createBm25, weigh } from "../bm25.ts";
import { createKeySums } from "../key-sums.ts";
import { blockOf, blockSize, visitPostings } from "./postings.ts";

/** Rows of `postings`, of one word. */
export type PostingRows = readonly { readonly block: number; readonly entries: Buffer }[];

/** How often a clause of several words stands in each chunk that has it, and how many tokens the chunk has. */
export type ClauseMatches = ReadonlyMap<number, { readonly often: number; readonly tokenCount: number }>;

/** Adds up what clauses say about chunks, by BM25 as SQLite's FTS5 works it out. */
export function createRanking({ headWeight, ...corpus }: Corpus & { readonly headWeight: number }) {
  const { rarityOf, score } = createBm25(corpus);
  const sums = createKeySums(blockSize);

  return {
    addWord: (rows: PostingRows, count: number): void => {
      const weight = rarityOf(count);
      for (const { block, entries } of rows) {
        const scores = sums.ofBlock(block);
        const first = block * blockSize;
        visitPostings(block, entries, (key, tokenCount, body, head) => {
          scores[key - first]! += weight * score(weigh(body, head, headWeight), tokenCount);
        });
      }
    },
    addMatches: (matches: ClauseMatches): void => {
      const weight = rarityOf(matches.size);
      for (const [key, { often, tokenCount }] of matches) {
        sums.ofBlock(blockOf(key))[key % blockSize]! += weight * score(often, tokenCount);
      }
    },
    /** Keys of the best chunks, best first, equal ones in their order. */
    best: (most: number): number[] => sums.best(most).map(({ key }) => key),
  };
}
