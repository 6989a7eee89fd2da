/** What BM25 knows of all chunks together. */
export interface Corpus {
  readonly chunks: number;
  readonly tokens: number;
}

/** The constants of FTS5, so that every store prefers the same candidates. */
const k1 = 1.2;
const b = 0.75;
const minRarity = 1e-6;

/** Chooses candidates where there are too many; `search/` scores them afterwards. */
export function createBm25({ chunks, tokens }: Corpus) {
  const average = chunks === 0 ? 1 : Math.max(1, tokens) / chunks;
  return {
    /** How much a token counts that so many chunks hold. */
    rarityOf: (count: number): number =>
      Math.max(minRarity, Math.log((chunks - count + 0.5) / (count + 0.5))),
    score: (frequency: number, tokenCount: number): number =>
      (frequency * (k1 + 1)) / (frequency + k1 * (1 - b + (b * tokenCount) / average)),
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
