import { type Corpus, createBm25, weigh } from "../bm25.ts";
import { countPhrase, isSingle, type Phrase } from "./words.ts";

/** A chunk that LanceDB found by its words. */
export interface FoundRow {
  readonly id: number;
  readonly path: string;
  readonly position: number;
  /** Tokens joined by blanks. */
  readonly body: string;
  readonly head: string;
  readonly tokenCount: number;
}

export interface RankOptions {
  readonly corpus: Corpus;
  readonly headWeight: number;
  /** In how many chunks of the whole index a phrase stands. */
  readonly countOf: (phrase: Phrase) => number;
}

/**
 * Rows best first, by the score that SQLite gives them. LanceDB's own adds up a score for the text and one for the
 * headings, each with a rarity and a length of its own, and would choose other candidates.
 */
export function rankRows<Row extends FoundRow>(
  rows: readonly Row[],
  phrases: readonly Phrase[],
  { corpus, headWeight, countOf }: RankOptions,
): Row[] {
  const { rarityOf, score } = createBm25(corpus);
  const rarities = phrases.map((phrase) => rarityOf(countOf(phrase)));
  const count = createCounter(phrases);
  const scored = rows.map((row) => {
    const [body, head] = [count(row.body), count(row.head)];
    let sum = 0;
    for (const [at, rarity] of rarities.entries()) {
      const often = weigh(body[at]!, head[at]!, headWeight);
      if (often > 0) sum += rarity * score(often, row.tokenCount);
    }
    return { row, sum };
  });
  return scored
    .filter(({ sum }) => sum > 0)
    .sort((a, b) => b.sum - a.sum || inOrder(a.row, b.row))
    .map(({ row }) => row);
}

/**
 * Counts each phrase in tokens that are joined by blanks. Most are plain words, and most tokens are none of them: only those
 * that begin like one and are as long are cut out and looked up.
 */
function createCounter(phrases: readonly Phrase[]): (text: string) => Uint32Array {
  const plain = new Map<string, number>();
  const shapes = new Set<number>();
  const others: [number, Phrase][] = [];
  const shapeOf = (text: string, from: number, to: number): number =>
    text.charCodeAt(from) * 0x1_0000 + Math.min(to - from, 0xffff);
  for (const [at, phrase] of phrases.entries()) {
    const [word = ""] = phrase.words;
    if (isSingle(phrase) && !phrase.prefix) {
      plain.set(word, at);
      shapes.add(shapeOf(word, 0, word.length));
    } else others.push([at, phrase]);
  }
  return (text) => {
    const counts = new Uint32Array(phrases.length);
    for (let from = 0; from <= text.length; ) {
      const blank = text.indexOf(" ", from);
      const to = blank === -1 ? text.length : blank;
      if (shapes.has(shapeOf(text, from, to))) {
        const at = plain.get(text.slice(from, to));
        if (at !== undefined) counts[at]!++;
      }
      from = to + 1;
    }
    if (others.length > 0) {
      const list = text.split(" ");
      for (const [at, phrase] of others) counts[at] = countPhrase(list, phrase);
    }
    return counts;
  };
}

/** Equal ones in the order in which they stand in the notes. */
function inOrder(a: FoundRow, b: FoundRow): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : a.position - b.position;
}
