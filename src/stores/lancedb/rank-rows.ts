import { createBm25 } from "../bm25.ts";

/** A chunk that LanceDB found by its words. */
export interface FoundRow {
  readonly id: number;
  readonly path: string;
  /** Tokens joined by blanks. */
  readonly body: string;
  readonly head: string;
  readonly tokenCount: number;
}

export interface RankOptions {
  /** Of the whole index. */
  readonly chunks: number;
  readonly headWeight: number;
  /** The number of chunks that hold a word. */
  readonly countOf: (word: string) => number;
}

/** The best rows first. LanceDB's own score knows each word of a row once, whether text or headings hold it. */
export function rankRows(
  rows: readonly FoundRow[],
  words: readonly string[],
  { chunks, headWeight, countOf }: RankOptions,
): FoundRow[] {
  const found = rows.reduce((sum, { tokenCount }) => sum + tokenCount, 0);
  const average = found / Math.max(1, rows.length);
  const { rarityOf, score } = createBm25({ chunks, tokens: average * chunks });
  const rarities = words.map((word) => rarityOf(countOf(word)));
  const count = createCounter(words);
  const scored = rows.map((row) => {
    const [body, head] = [count(row.body), count(row.head)];
    const scores = rarities.map((rarity, at) => {
      const frequency = body[at]! + headWeight * head[at]!;
      return frequency === 0 ? 0 : rarity * score(frequency, row.tokenCount);
    });
    return { row, sum: scores.reduce((sum, each) => sum + each, 0) };
  });
  return scored.sort((left, right) => right.sum - left.sum).map(({ row }) => row);
}

/** Counts words in tokens that are joined by blanks. Most tokens are none of them: only those of a like shape are cut out. */
function createCounter(words: readonly string[]): (text: string) => Uint32Array {
  const places = new Map(words.map((word, at) => [word, at]));
  const shapeOf = (text: string, from: number, to: number): number =>
    text.charCodeAt(from) * 0x1_0000 + Math.min(to - from, 0xffff);
  const shapes = new Set(words.map((word) => shapeOf(word, 0, word.length)));
  return (text) => {
    const counts = new Uint32Array(words.length);
    for (let from = 0; from <= text.length; ) {
      const blank = text.indexOf(" ", from);
      const to = blank === -1 ? text.length : blank;
      const at = shapes.has(shapeOf(text, from, to)) ? places.get(text.slice(from, to)) : undefined;
      if (at !== undefined) counts[at]!++;
      from = to + 1;
    }
    return counts;
  };
}
