import type { ChunkFilter, KeywordClause } from "../store.ts";
import { readAgent } from "./agent-row.ts";
import { atMost, isFiltering, keepPassing } from "./chunk-filter.ts";
import type { Database, Sql } from "./database.ts";
import { countPostings, visitPostings } from "./postings.ts";
import { type ClauseMatches, createRanking, type PostingRows, weigh } from "./rank-postings.ts";
import { base64Of, fromBase64 } from "./sql-text.ts";
import { splitTokens, type Tokens } from "./tokens.ts";

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
      const wordsOf = await findWords(sql, agentId, phrases);
      const postings = await readPostings(sql, agentId, [...new Set([...wordsOf.values()].flat())]);
      const { chunkCount, tokenCount } = await readAgent(sql, agentId);
      const ranking = createRanking({ chunks: chunkCount, tokens: tokenCount, headWeight });
      for (const phrase of phrases) {
        const rowsOf = (word: string, isPrefix: boolean): PostingRows[] =>
          (wordsOf.get(nameOf(word, isPrefix)) ?? []).flatMap((id) => [postings.get(id) ?? []]);
        const ofEach = phrase.words.map((word, index) =>
          rowsOf(word, phrase.isPrefix && index === phrase.words.length - 1),
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
         FROM longhand.chunks c JOIN longhand.files f ON f.id = c.file_id
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
          "SELECT token, chunks FROM longhand.words WHERE agent_id = $1 AND token = ANY($2::text[])",
          [agentId, words],
        ),
      );
      for (const { token, chunks } of rows) counts.set(token, chunks);
      return counts;
    },
    tokensWithPrefix: (prefix: string, limit: number): Promise<{ token: string; chunks: number }[]> =>
      db.read((sql) =>
        sql(
          `SELECT token, chunks FROM longhand.words WHERE agent_id = $1 AND token >= $2 AND token <= $3
           ORDER BY token LIMIT $4`,
          [agentId, prefix, `${prefix}\u{10ffff}`, atMost(limit)],
        ),
      ),
  };
}

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

/** The numbers of all words that the phrases name, by what names them. */
async function findWords(
  sql: Sql,
  agentId: number,
  phrases: readonly Phrase[],
): Promise<Map<string, string[]>> {
  const whole = new Set<string>();
  const beginnings = new Set<string>();
  for (const { words, isPrefix } of phrases) {
    for (const [index, word] of words.entries()) {
      (isPrefix && index === words.length - 1 ? beginnings : whole).add(word);
    }
  }
  const found = new Map<string, string[]>();
  const rows = await sql<{ id: string; token: string }>(
    "SELECT id, token FROM longhand.words WHERE agent_id = $1 AND token = ANY($2::text[])",
    [agentId, [...whole]],
  );
  for (const { id, token } of rows) found.set(nameOf(token, false), [id]);
  for (const beginning of beginnings) {
    const begun = await sql<{ id: string }>(
      "SELECT id FROM longhand.words WHERE agent_id = $1 AND token >= $2 AND token <= $3",
      [agentId, beginning, `${beginning}\u{10ffff}`],
    );
    found.set(
      nameOf(beginning, true),
      begun.map(({ id }) => id),
    );
  }
  return found;
}

async function readPostings(
  sql: Sql,
  agentId: number,
  ids: readonly string[],
): Promise<Map<string, { block: number; entries: Buffer }[]>> {
  const found = new Map<string, { block: number; entries: Buffer }[]>();
  if (ids.length === 0) return found;
  const rows = await sql<{ word_id: string; block: number; entries: string }>(
    `SELECT word_id, block, ${base64Of("entries")} AS entries FROM longhand.postings
     WHERE agent_id = $1 AND word_id = ANY($2::int8[])`,
    [agentId, ids],
  );
  for (const { word_id, block, entries } of rows) {
    const row = { block, entries: fromBase64(entries) };
    const known = found.get(word_id);
    if (known === undefined) found.set(word_id, [row]);
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
