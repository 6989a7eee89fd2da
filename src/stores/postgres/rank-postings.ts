import { type Corpus, createBm25 } from "../bm25.ts";
import { createKeySums } from "../key-sums.ts";
import { blockSize, visitPostings } from "./postings.ts";

/** Rows of `postings`, of one word. */
export type PostingRows = readonly { readonly block: number; readonly entries: Buffer }[];

/** Adds up what words say about chunks, by BM25. */
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
          scores[key - first]! += weight * score(body + headWeight * head, tokenCount);
        });
      }
    },
    /** Keys of the best chunks, best first, equal ones in their order. */
    best: (most: number): number[] => sums.best(most).map(({ key }) => key),
  };
}
