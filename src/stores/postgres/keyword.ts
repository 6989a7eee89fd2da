import { weigh } from "../bm25.ts";
import type { ChunkFilter, KeywordClause } from "../store.ts";
import type { Tokens } from "../tokens.ts";
import { readAgent } from "./agent-row.ts";
import { encodeTexts } from "./binary-array.ts";
import { atMost, isFiltering, keepPassing } from "./chunk-filter.ts";
import type { Database, Sql } from "./database.ts";
import { freshBetween, freshOfTokens } from "./fresh-words.ts";
import { countPostings, entryBytes, visitPostings } from "./postings.ts";
import { type ClauseMatches, createRanking, type PostingRows } from "./rank-postings.ts";
import { base64Of, fromBase64 } from "./sql-text.ts";
import { splitTokens } from "./tokens.ts";

export interface KeywordParts {
  readonly db: Database;
  readonly agentId: number;
  readonly tokens: Tokens;
  readonly headWeight: number;
}

/** One clause as the index sees it: words that follow each other, of which the last may be the beginning of one. */
interface Phrase {
  readonly words: readonly string[];
  readonly isPrefix: boolean;
}

/** The questions about words. */
export function createKeyword({ db, agentId, tokens, headWeight }: KeywordParts) {
  async function byKeyword(
    clauses: readonly KeywordClause[],
    { limit, filter }: { limit: number; filter?: ChunkFilter },
  ): Promise<number[]> {
    const phrases = readPhrases(clauses);
    const most = atMost(limit);
    if (phrases.length === 0 || most === 0) return [];
    return await db.read(async (sql) => {
      const [rowsOf, { chunkCount, tokenCount }] = await Promise.all([
        findPostings(sql, agentId, phrases),
        readAgent(sql, agentId),
      ]);
      const ranking = createRanking({ chunks: chunkCount, tokens: tokenCount, headWeight });
      for (const phrase of phrases) {
        const ofEach = phrase.words.map(
          (word, index) =>
            rowsOf.get(nameOf(word, phrase.isPrefix && index === phrase.words.length - 1)) ?? [],
        );
        const [only] = ofEach;
        if (ofEach.length > 1) ranking.addMatches(await follow(sql, phrase, ofEach));
        else if (phrase.isPrefix) ranking.addMatches(addUp(only!, headWeight));
        else for (const rows of only!) ranking.addWord(rows, countRows(rows));
      }
      if (!isFiltering(filter)) return ranking.best(most);
      const wanted = { limit: most, filter };
      const passed = await keepPassing(sql, agentId, ranking.best(likelyEnough * most), wanted);
      if (passed.length === most) return passed;
      return await keepPassing(sql, agentId, ranking.best(chunkCount), wanted);
    });
  }

  /** Chunks in which the words of a phrase follow each other; those that have all of them are read again. */
  async function follow(
    sql: Sql,
    { words, isPrefix }: Phrase,
    ofEach: readonly (readonly PostingRows[])[],
  ): Promise<ClauseMatches> {
    const [first, ...others] = ofEach.map((rows) => addUp(rows, headWeight));
    const keys = [...first!.keys()].filter((key) => others.every((matches) => matches.has(key)));
    const found = new Map<number, { often: number; tokenCount: number }>();
    for (let at = 0; at < keys.length; at += chunksAtOnce) {
      const rows = await sql<{ key: number; text: string; headings: string; path: string }>(
        `SELECT c.key::float8 AS key, c.text, c.headings, f.path
         FROM longhand.chunks c JOIN longhand.files f ON f.agent_id = c.agent_id AND f.id = c.file_id
         WHERE c.agent_id = $1 AND c.key = ANY($2::int8[])`,
        [agentId, keys.slice(at, at + chunksAtOnce)],
      );
      for (const { key, text, headings, path } of rows) {
        const { body, head } = tokens({ text, headings: JSON.parse(headings), path });
        const often = weigh(
          countPhrase(splitTokens(body), words, isPrefix),
          countPhrase(splitTokens(head), words, isPrefix),
          headWeight,
        );
        if (often > 0) found.set(key, { often, tokenCount: first!.get(key)!.tokenCount });
      }
    }
    return found;
  }

  return {
    byKeyword,
    documentFrequencies: async (words: readonly string[]): Promise<Map<string, number>> => {
      const counts = new Map(words.map((word) => [word, 0]));
      if (words.length === 0) return counts;
      const rows = await db.read((sql) =>
        sql<{ token: string; chunks: number }>(
          `SELECT r.token, ${countEntries} AS chunks FROM (${ofTokens} UNION ALL ${freshOfTokens}) AS r GROUP BY r.token`,
          [agentId, encodeTexts([...counts.keys()])],
        ),
      );
      for (const { token, chunks } of rows) counts.set(token, chunks);
      return counts;
    },
    tokensWithPrefix: (prefix: string, limit: number): Promise<{ token: string; chunks: number }[]> => {
      // Each half ends by itself: those of the other cannot come before its first ones.
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

/** Rows of the tokens in the array `$2`, and of those from `$2` to `$3`. */
const ofTokens =
  "SELECT p.token, p.block, p.entries FROM longhand.postings p WHERE p.agent_id = $1 AND p.token = ANY($2::text[])";
const between =
  "SELECT p.token, p.block, p.entries FROM longhand.postings p WHERE p.agent_id = $1 AND p.token >= $2 AND p.token <= $3";
const countEntries = `(sum(octet_length(r.entries)) / ${entryBytes})::float8`;
const chunksAtOnce = 500;
/** Most filters let most chunks through, so the best of some times as many as are wanted hold enough. */
const likelyEnough = 4;

function countRows(rows: PostingRows): number {
  return rows.reduce((sum, { entries }) => sum + countPostings(entries), 0);
}

/** Several words as one: how often any of them stands in a chunk. */
function addUp(words: readonly PostingRows[], headWeight: number): ClauseMatches {
  const counts = new Map<number, { body: number; head: number; tokenCount: number }>();
  for (const { block, entries } of words.flat()) {
    visitPostings(block, entries, (key, tokenCount, body, head) => {
      const known = counts.get(key) ?? { body: 0, head: 0 };
      counts.set(key, { body: known.body + body, head: known.head + head, tokenCount });
    });
  }
  return new Map(
    [...counts].map(([key, { body, head, tokenCount }]) => [
      key,
      { often: weigh(body, head, headWeight), tokenCount },
    ]),
  );
}

/** A clause that is there twice counts once. */
function readPhrases(clauses: readonly KeywordClause[]): Phrase[] {
  const phrases = new Map<string, Phrase>();
  for (const { tokens, prefix = false } of clauses) {
    const words = splitTokens(tokens.join(" "));
    if (words.length > 0) phrases.set(`${prefix} ${words.join(" ")}`, { words, isPrefix: prefix });
  }
  return [...phrases.values()];
}

function nameOf(word: string, isPrefix: boolean): string {
  return isPrefix ? `${word}*` : ` ${word}`;
}

/** The postings of all words that the phrases name, a list for each word, by what names them. */
async function findPostings(
  sql: Sql,
  agentId: number,
  phrases: readonly Phrase[],
): Promise<Map<string, PostingRows[]>> {
  const whole = new Set<string>();
  const beginnings = new Set<string>();
  for (const { words, isPrefix } of phrases) {
    for (const [index, word] of words.entries()) {
      (isPrefix && index === words.length - 1 ? beginnings : whole).add(word);
    }
  }
  const [ofWhole, ...ofBeginnings] = await Promise.all([
    readPostings(sql, `${ofTokens} UNION ALL ${freshOfTokens}`, [agentId, encodeTexts([...whole])]),
    ...[...beginnings].map((beginning) =>
      readPostings(sql, `${between} UNION ALL ${freshBetween}`, [
        agentId,
        beginning,
        `${beginning}\u{10ffff}`,
      ]),
    ),
  ]);
  const found = new Map<string, PostingRows[]>();
  for (const [token, rows] of ofWhole) found.set(nameOf(token, false), [rows]);
  for (const [index, beginning] of [...beginnings].entries()) {
    found.set(nameOf(beginning, true), [...ofBeginnings[index]!.values()]);
  }
  return found;
}

async function readPostings(
  sql: Sql,
  rows: string,
  values: readonly unknown[],
): Promise<Map<string, PostingRows>> {
  const found = new Map<string, { block: number; entries: Buffer }[]>();
  const all = await sql<{ token: string; block: number; entries: string }>(
    `SELECT r.token, r.block, ${base64Of("r.entries")} AS entries FROM (${rows}) AS r`,
    values,
  );
  for (const { token, block, entries } of all) {
    const row = { block, entries: fromBase64(entries) };
    const known = found.get(token);
    if (known === undefined) found.set(token, [row]);
    else known.push(row);
  }
  return found;
}

function countPhrase(tokens: readonly string[], words: readonly string[], isPrefix: boolean): number {
  let count = 0;
  for (let at = 0; at + words.length <= tokens.length; at++) {
    const isHere = words.every((word, index) => {
      const token = tokens[at + index]!;
      return isPrefix && index === words.length - 1 ? token.startsWith(word) : token === word;
    });
    if (isHere) count++;
  }
  return count;
}
