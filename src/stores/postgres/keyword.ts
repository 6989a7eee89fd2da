import { atMost, createBest, createBm25, createKeySums, headWeight, isFiltering } from "../candidates.ts";
import type { ChunkFilter } from "../store.ts";
import { readAgent } from "./agent-row.ts";
import type { Database, Sql } from "./database.ts";
import { keepMatching } from "./file-filter.ts";
import { blockSize, countPostings, entryBytes, toStoredToken, visitPostings } from "./postings.ts";
import { base64Of, encodeTexts, fromBase64 } from "./sql-values.ts";
import { freshBetween, freshOfTokens } from "./words-write.ts";

export function createKeyword({ db, agentId }: { readonly db: Database; readonly agentId: number }) {
  async function byKeyword(
    tokens: readonly string[],
    { limit, filter }: { limit: number; filter?: ChunkFilter },
  ): Promise<number[]> {
    const words = new Set(tokens.map(toStoredToken).filter((token) => token !== null));
    const max = atMost(limit);
    if (words.size === 0 || max === 0) return [];
    return await db.read(async (sql) => {
      const [postings, { chunkCount, tokenCount }] = await Promise.all([
        readPostings(sql, [agentId, encodeTexts([...words])]),
        readAgent(sql, agentId),
      ]);
      const sums = isSparse(postings) ? sumByKey() : sumByBlock();
      const bm25 = createBm25({ chunks: chunkCount, tokens: tokenCount });
      for (const rows of postings) addWord(sums, rows, bm25);
      if (!isFiltering(filter)) return sums.best(max);
      const wanted = { limit: max, filter };
      const passed = await keepMatching(sql, agentId, sums.best(likelyEnough * max), wanted);
      if (passed.length === max) return passed;
      return await keepMatching(sql, agentId, sums.best(chunkCount), wanted);
    });
  }

  return {
    byKeyword,
    documentFrequencies: async (words: readonly string[]): Promise<Map<string, number>> => {
      const stored = words.map(toStoredToken);
      const wanted = new Set(stored.filter((token) => token !== null));
      if (wanted.size === 0) return new Map(words.map((word) => [word, 0]));
      const rows = await db.read((sql) =>
        sql<{ token: string; chunks: number }>(
          `SELECT r.token, ${countEntries} AS chunks FROM (${ofTokens}) AS r GROUP BY r.token`,
          [agentId, encodeTexts([...wanted])],
        ),
      );
      const counts = new Map(rows.map(({ token, chunks }) => [token, chunks]));
      return new Map(words.map((word, index) => [word, counts.get(stored[index] ?? "") ?? 0]));
    },
    tokensWithPrefix: (prefix: string, limit: number): Promise<{ token: string; chunks: number }[]> => {
      // Each half is sorted by itself: results of the other half cannot precede its first ones.
      const first = (rows: string): string =>
        `(SELECT r.token, ${countEntries} AS chunks FROM (${rows}) AS r GROUP BY r.token ORDER BY r.token LIMIT $4)`;
      return db.read((sql) =>
        sql(
          `SELECT t.token, sum(t.chunks)::float8 AS chunks FROM (${first(between)} UNION ALL ${first(freshBetween)}) AS t
           GROUP BY t.token ORDER BY t.token LIMIT $4`,
          [agentId, prefix, `${prefix}\u{10ffff}`, atMost(limit)],
        ),
      );
    },
  };
}

/** Rows for the tokens in the array `$2`, and for those from `$2` to `$3`. */
const ofTokens = `SELECT p.token, p.block, p.entries FROM longhand.postings p
  WHERE p.agent_id = $1 AND p.token = ANY($2::text[]) UNION ALL ${freshOfTokens}`;
const between =
  "SELECT p.token, p.block, p.entries FROM longhand.postings p WHERE p.agent_id = $1 AND p.token >= $2 AND p.token <= $3";
const countEntries = `(sum(octet_length(r.entries)) / ${entryBytes})::float8`;
/** Most filters match most chunks, so the best of a few times the requested number contain enough. */
const likelyEnough = 4;

function countRows(rows: PostingRows): number {
  return rows.reduce((sum, { entries }) => sum + countPostings(entries), 0);
}

/**
 * The postings of each token. Together they are one value: a token that occurs all over a large index has hundreds of
 * rows.
 */
async function readPostings(sql: Sql, values: readonly unknown[]): Promise<PostingRows[]> {
  const all = await sql<{ rows: string }>(
    `SELECT ${base64Of("string_agg(int4send(r.block) || int4send(octet_length(r.entries)) || r.entries, ''::bytea)")} AS rows
     FROM (${ofTokens}) AS r GROUP BY r.token`,
    values,
  );
  return all.map(({ rows }) => splitRows(fromBase64(rows)));
}

function splitRows(bytes: Buffer): PostingRows {
  const rows: { block: number; entries: Buffer }[] = [];
  for (let at = 0; at < bytes.length; ) {
    const [block, size] = [bytes.readInt32BE(at), bytes.readInt32BE(at + 4)];
    rows.push({ block, entries: bytes.subarray(at + 8, at + 8 + size) });
    at += 8 + size;
  }
  return rows;
}

/** Rows of `postings` for one token. */
type PostingRows = readonly { readonly block: number; readonly entries: Buffer }[];

/** The sum of each key. */
interface Sums {
  ofBlock(block: number): (key: number, score: number) => void;
  /** The keys with the highest sums, highest first. */
  best(limit: number): number[];
}

/**
 * In a large index a rare token has a posting or two in each of hundreds of blocks, and sums for all of their keys would
 * be megabytes to make and to scan.
 */
function isSparse(postings: readonly PostingRows[]): boolean {
  const rows = postings.flat();
  return countRows(rows) < 32 * rows.length;
}

function sumByKey(): Sums {
  const sums = new Map<number, number>();
  return {
    ofBlock: () => (key, score) => {
      sums.set(key, (sums.get(key) ?? 0) + score);
    },
    best: (limit) => {
      const best = createBest(limit);
      for (const key of Float64Array.from(sums.keys()).sort()) best.offer(key, sums.get(key)!);
      return best.inOrder().map(({ key }) => key);
    },
  };
}

function sumByBlock(): Sums {
  const sums = createKeySums(blockSize);
  return {
    ofBlock: (block) => {
      const [scores, first] = [sums.ofBlock(block), block * blockSize];
      return (key, score) => {
        scores[key - first]! += score;
      };
    },
    best: sums.best,
  };
}

/** Adds the scores of one token. */
function addWord(sums: Sums, rows: PostingRows, { idf, score }: ReturnType<typeof createBm25>): void {
  const weight = idf(countRows(rows));
  for (const { block, entries } of rows) {
    const add = sums.ofBlock(block);
    visitPostings(block, entries, (key, tokenCount, body, head) => {
      add(key, weight * score(body + headWeight * head, tokenCount));
    });
  }
}
