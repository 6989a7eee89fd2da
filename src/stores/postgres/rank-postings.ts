import { visitPostings } from "./postings.ts";

/** Rows of `postings`, of all words that count as one. */
export type PostingRows = readonly { readonly block: number; readonly entries: Buffer }[];

export interface Corpus {
  readonly chunks: number;
  readonly tokens: number;
  /** How much a word in the headings or the path counts against one in the text. */
  readonly headWeight: number;
}

/** The constants of FTS5, so that both stores choose the same candidates. */
const k1 = 1.2;
const b = 0.75;
const leastRarity = 1e-6;

/** How often a clause stands in each chunk that has it. */
export interface ClauseMatches {
  /** Weighted by where it stands. */
  readonly frequency: Map<number, number>;
  readonly tokenCount: Map<number, number>;
}

export function matchRows(rows: PostingRows, headWeight: number): ClauseMatches {
  const frequency = new Map<number, number>();
  const tokenCount = new Map<number, number>();
  for (const { block, entries } of rows) {
    visitPostings(block, entries, (key, total, body, head) => {
      frequency.set(key, (frequency.get(key) ?? 0) + body + headWeight * head);
      tokenCount.set(key, total);
    });
  }
  return { frequency, tokenCount };
}

/** Keys of the chunks that match best by BM25, as SQLite's FTS5 works it out; equal ones in the order of keys. */
export function rankMatches(clauses: readonly ClauseMatches[], { chunks, tokens }: Corpus): number[] {
  const average = chunks === 0 ? 1 : Math.max(1, tokens) / chunks;
  const scores = new Map<number, number>();
  for (const { frequency, tokenCount } of clauses) {
    const count = frequency.size;
    const rarity = Math.log((chunks - count + 0.5) / (count + 0.5));
    const weight = rarity > 0 ? rarity : leastRarity;
    for (const [key, often] of frequency) {
      const length = 1 - b + (b * tokenCount.get(key)!) / average;
      const score = (weight * (often * (k1 + 1))) / (often + k1 * length);
      scores.set(key, (scores.get(key) ?? 0) + score);
    }
  }
  return [...scores].sort((left, right) => right[1] - left[1] || left[0] - right[0]).map(([key]) => key);
}
