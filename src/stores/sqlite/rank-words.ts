import type { DatabaseSync } from "node:sqlite";
import { once } from "../../text/once.ts";
import { createBest, createBm25, createKeySums, headWeight } from "../candidates.ts";
import { createFts5Reader, readTotals } from "./fts5-postings.ts";
import {
  createVocabularyReader,
  type Fts5Statements,
  type Postings,
  type PostingsReader,
  prepareFts5Statements,
} from "./postings.ts";
import { DamagedWords } from "./sqlite-failure.ts";
import { toStoredToken } from "./terms.ts";

const keysPerBlock = 2048;

/** How many postings to cache, of 8 bytes each. */
const maxKeptPostings = 1_000_000;

/**
 * Ranks by BM25, exactly as FTS5 would if it stored every occurrence. But FTS5 looks up the length of every matching
 * chunk, although most cannot be among the best whatever their length. Here the postings are read first, which gives an
 * upper bound for each chunk's score, and the length is read only where that is high enough. Postings are cached until
 * the index changes, because common tokens recur.
 */
export function prepareWordRanking(
  db: DatabaseSync,
  /** Changes whenever the index does. */
  revision: () => number,
  prepareStatements: (db: DatabaseSync) => Fts5Statements = prepareFts5Statements,
) {
  const statements = once(() => prepareStatements(db));
  const vocabulary = once(() => createVocabularyReader(db));
  const sizes = once(() => {
    const statement = db.prepare(
      `SELECT group_concat(hex(size.sz), ',') FROM json_each(?) AS wanted
       CROSS JOIN chunks_fts_docsize AS size ON size.id = wanted.value`,
    );
    statement.setReturnArrays(true);
    return statement;
  });
  const kept = new Map<string, Postings>();
  const lengths = new Map<number, number>();
  const seen = { revision: Number.NaN, postings: 0 };
  let reader: PostingsReader | null = null;
  let bm25: ReturnType<typeof createBm25>;

  const forget = (): void => {
    kept.clear();
    lengths.clear();
    seen.postings = 0;
  };

  const refresh = (): void => {
    const now = revision();
    if (now === seen.revision) return;
    forget();
    reader = createFts5Reader(statements());
    bm25 = createBm25(readTotals(statements()) ?? { chunks: 0, tokens: 0 });
    seen.revision = now;
  };

  const postingsOf = (token: string): Postings => {
    const known = kept.get(token);
    if (known !== undefined) return known;
    const postings = (reader?.postings(token) ?? vocabulary().postings(token))!;
    // A token that no chunk has takes memory, too.
    seen.postings += 1 + postings.chunks;
    if (seen.postings > maxKeptPostings) forget();
    else kept.set(token, postings);
    return postings;
  };

  const readLengths = (keys: readonly number[]): void => {
    const missing = keys.filter((key) => !lengths.has(key));
    if (missing.length === 0) return;
    const [found] = sizes().get(JSON.stringify(missing)) as unknown as [string | null];
    const all = found?.split(",") ?? [];
    if (all.length !== missing.length)
      throw new DamagedWords("the full-text index lacks the lengths of chunks");
    for (let at = 0; at < all.length; at++) lengths.set(missing[at]!, readSize(all[at]!));
  };

  /** Keys of the chunks that contain any of the tokens, best first. */
  const rank = (tokens: readonly string[], { limit, accepts }: RankOptions): number[] => {
    refresh();
    const { idf, score } = bm25;
    const all = toStored(tokens).map((token) => {
      const { chunks, groups } = postingsOf(token);
      return groups.map(({ keys, body, head }) => ({
        keys,
        rarity: idf(chunks),
        frequency: body + headWeight * head,
      }));
    });
    const highest = createKeySums(keysPerBlock);
    for (const { keys, rarity, frequency } of all.flat()) {
      // The shorter a chunk, the more each token counts.
      const bound = rarity * score(frequency, 0);
      let first = 0;
      let sums = highest.ofBlock(0);
      for (let at = 0; at < keys.length; at++) {
        const key = keys[at]!;
        if (accepts !== undefined && !accepts(key)) continue;
        if (key - first >= keysPerBlock) {
          const block = Math.floor(key / keysPerBlock);
          first = block * keysPerBlock;
          sums = highest.ofBlock(block);
        }
        sums[key - first]! += bound;
      }
    }
    const selectBest = (keys: readonly number[]): { key: number; sum: number }[] => {
      readLengths(keys);
      const best = createBest(limit);
      for (const key of keys) {
        const length = lengths.get(key)!;
        let sum = 0;
        for (const groups of all) {
          for (const { keys, rarity, frequency } of groups) {
            if (!hasKey(keys, key)) continue;
            sum += rarity * score(frequency, length);
            break;
          }
        }
        best.offer(key, sum);
      }
      return best.inOrder();
    };
    const likely = selectBest(highest.best(limit));
    const min = likely.length < limit ? 0 : likely.at(-1)!.sum;
    return selectBest(highest.atLeast(min)).map(({ key }) => key);
  };

  return {
    rank,
    /** The document frequency of a token. */
    count: (token: string): number => {
      refresh();
      return toStored([token]).reduce((_, stored) => postingsOf(stored).chunks, 0);
    },
  };
}

interface RankOptions {
  readonly limit: number;
  /** Chunks that it refuses are left out; the statistics are still those of all. */
  readonly accepts?: ((key: number) => boolean) | undefined;
}

/** A token with a space in it is in no chunk. */
function toStored(tokens: readonly string[]): string[] {
  const stored = tokens.map(toStoredToken).filter((token) => token !== "" && !token.includes(" "));
  return [...new Set(stored)];
}

function hasKey(keys: Float64Array, key: number): boolean {
  let from = 0;
  let to = keys.length - 1;
  while (from <= to) {
    const middle = (from + to) >> 1;
    if (keys[middle]! < key) from = middle + 1;
    else if (keys[middle]! > key) to = middle - 1;
    else return true;
  }
  return false;
}

/** FTS5 writes the length of a chunk as a varint, seven bits per byte with a continuation bit; here in hexadecimal. */
function readSize(hex: string): number {
  let size = 0;
  for (let at = 0; at < hex.length; at += 2) {
    size = size * 128 + (Number.parseInt(hex.slice(at, at + 2), 16) & 127);
  }
  return size;
}
