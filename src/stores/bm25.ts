/** What BM25 knows of all chunks together. */
export interface Corpus {
  readonly chunks: number;
  readonly tokens: number;
}

/** The constants of FTS5, so that every store chooses the same candidates. */
const k1 = 1.2;
const b = 0.75;
const leastRarity = 1e-6;

/** BM25 as SQLite's FTS5 works it out. */
export function createBm25({ chunks, tokens }: Corpus) {
  const average = chunks === 0 ? 1 : Math.max(1, tokens) / chunks;
  return {
    /** What a clause counts that stands in so many chunks. */
    rarityOf: (count: number): number =>
      Math.max(leastRarity, Math.log((chunks - count + 0.5) / (count + 0.5))),
    score: (often: number, tokenCount: number): number =>
      (often * (k1 + 1)) / (often + k1 * (1 - b + (b * tokenCount) / average)),
  };
}

/**
 * How often a word stands in a chunk. Added one by one, as FTS5 does: a product differs in the last digit, and with it the
 * order of equals.
 */
export function weigh(body: number, head: number, headWeight: number): number {
  let often = body;
  for (let count = 0; count < head; count++) often += headWeight;
  return often;
}
