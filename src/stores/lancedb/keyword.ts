import { createBm25, headWeight } from "../candidates.ts";
import type { ChunkFilter } from "../store.ts";
import { cacheUntilChange, createHeldRows } from "./held-rows.ts";
import type { LanceTable } from "./lance-package.ts";
import type { TableRow } from "./schema.ts";
import type { Session } from "./session.ts";
import { isChunk, prepareFilter, readRows } from "./sql.ts";
import { anyOf, encodeQuery, encodeTokens } from "./words.ts";

/** This many queries are counted by full-text searches; a session with more is worth loading all tokens into memory. */
const questionsWithoutMemory = 2;
/** Our score chooses from more than requested, because LanceDB's would choose others. */
const minRanked = 1000;
const rankedPerWanted = 5;

/** Keyword queries. What is held in memory belongs to one session. */
export function createKeyword() {
  const held = new WeakMap<Session, ReturnType<typeof createVocabulary>>();
  /** Document frequencies by token, until the table changes. */
  const countsOf = cacheUntilChange(async () => new Map<string, number>());
  let questions = 0;

  const vocabularyOf = (session: Session) => {
    const known = held.get(session) ?? createVocabulary();
    held.set(session, known);
    return known.refresh(session.chunks);
  };

  const countRows = async ({ lance, chunks }: Session, word: string): Promise<number> => {
    const limit = Math.max(1, await chunks.countRows());
    const query = chunks
      .query()
      .fullTextSearch(anyOf(lance, [word]))
      .select(["id"]);
    return (await query.limit(limit).toArrow()).numRows;
  };

  /** The document frequency of each token. */
  const countWords = async (session: Session, words: readonly string[]): Promise<Map<string, number>> => {
    const vocabulary = held.has(session) ? await vocabularyOf(session) : null;
    if (vocabulary !== null) return new Map(words.map((word) => [word, vocabulary.countOf(word)]));
    const counts = await countsOf(session.chunks);
    const missing = words.filter((word) => !counts.has(word));
    await Promise.all(
      missing.map(async (word) =>
        counts.set(word, /^[^ ]+$/.test(word) ? await countRows(session, word) : 0),
      ),
    );
    return new Map(words.map((word) => [word, counts.get(word)!]));
  };

  return {
    /** For when tokens were rewritten under the same keys. */
    forget: (session: Session): void => void held.delete(session),
    async byKeyword(
      session: Session,
      tokens: readonly string[],
      { limit, filter }: { limit: number; filter?: ChunkFilter },
    ): Promise<number[]> {
      const { lance, chunks } = session;
      const total = await chunks.countRows();
      const max = Math.min(Math.trunc(limit), total);
      const words = encodeQuery(tokens);
      if (!(max > 0) || words.length === 0) return [];
      const { sql, isNarrow, accepts } = await prepareFilter(chunks, filter);
      const search = chunks.query().fullTextSearch(anyOf(lance, words));
      // Only chunks have tokens. A condition that all of them meet would be evaluated for each.
      if (isNarrow) search.where(sql);
      search.limit(Math.max(minRanked, rankedPerWanted * max));
      const rows = (await readRows(search, rowColumns)).filter(({ path }) => accepts(path));
      if (rows.length <= max) return rows.map(({ id }) => id!);
      const counts = await countWords(session, words);
      const ranked = rankRows(rows, words, { chunks: total, counts });
      return ranked.slice(0, max).map(({ id }) => id!);
    },
    async documentFrequencies(session: Session, tokens: readonly string[]): Promise<Map<string, number>> {
      if (tokens.length === 0) return new Map();
      const encoded = tokens.map((token) => encodeTokens(token.toWellFormed()));
      if (questions++ >= questionsWithoutMemory) await vocabularyOf(session);
      const counts = await countWords(session, encoded);
      return new Map(tokens.map((token, index) => [token, counts.get(encoded[index]!)!]));
    },
    async tokensWithPrefix(session: Session, prefix: string, limit: number) {
      const max = Math.trunc(limit);
      if (!(max > 0)) return [];
      return (await vocabularyOf(session)).withPrefix(encodeTokens(prefix), max);
    },
  };
}

/** Without the score, LanceDB warns that it will leave it out one day. */
const rowColumns = ["id", "path", "body", "head", "token_count", "_score"] as const;

/** A chunk found by LanceDB's full-text search. `body` and `head` are tokens joined by spaces. */
type FoundRow = Pick<TableRow, (typeof rowColumns)[number]>;

/** Best rows first. LanceDB's own score counts each token of a row once, whether it is in the text or the headings. */
function rankRows(
  rows: readonly FoundRow[],
  words: readonly string[],
  { chunks, counts }: { readonly chunks: number; readonly counts: ReadonlyMap<string, number> },
): FoundRow[] {
  const found = rows.reduce((sum, { token_count }) => sum + token_count!, 0);
  const average = found / Math.max(1, rows.length);
  const { idf, score } = createBm25({ chunks, tokens: average * chunks });
  const rarities = words.map((word) => idf(counts.get(word)!));
  const count = createCounter(words);
  const scored = rows.map((row) => {
    const [body, head] = [count(row.body!), count(row.head!)];
    const scores = rarities.map((rarity, at) => {
      const frequency = body[at]! + headWeight * head[at]!;
      return frequency === 0 ? 0 : rarity * score(frequency, row.token_count!);
    });
    return { row, sum: scores.reduce((sum, each) => sum + each, 0) };
  });
  return scored.sort((left, right) => right.sum - left.sum).map(({ row }) => row);
}

/**
 * Counts tokens in a text that joins them by spaces. Most are none of these, so only those with a matching shape are
 * cut out.
 */
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

/** All tokens of the index with their document frequencies. */
interface Vocabulary {
  countOf(token: string): number;
  /** In code unit order, at most `limit`. */
  withPrefix(prefix: string, limit: number): { token: string; chunks: number }[];
}

/**
 * The tokens of a table in memory, because LanceDB does not list what its full-text index holds. The first query reads
 * the tokens of all chunks (about a second for ten thousand); later ones only the changes.
 */
function createVocabulary(): { refresh(chunks: LanceTable): Promise<Vocabulary> } {
  const numbers = new Map<string, number>();
  const tokens: string[] = [];
  const counts: number[] = [];
  /** The distinct tokens of each chunk, by number, to be subtracted when the chunk is removed. */
  const held = new Map<string, Uint32Array>();
  let sorted: string[] | null = null;

  const add = (key: string, distinct: string): void => {
    const words: number[] = [];
    for (const token of distinct.split(" ")) {
      if (token === "") continue;
      let number = numbers.get(token);
      if (number === undefined) {
        number = tokens.length;
        numbers.set(token, number);
        tokens.push(token);
        counts.push(0);
        sorted = null;
      }
      words.push(number);
    }
    for (const number of words) counts[number]!++;
    held.set(key, Uint32Array.from(words));
  };
  const remove = (key: string): void => {
    for (const number of held.get(key) ?? []) counts[number]!--;
    held.delete(key);
  };

  // A chunk whose position or scope changed keeps its key and its tokens.
  const rows = createHeldRows<string>({
    key: "key",
    value: "words",
    where: isChunk,
    has: (key) => held.has(key),
    add: (key, words) => add(key, words ?? ""),
    retain: (present) => {
      for (const key of held.keys()) if (!present.has(key)) remove(key);
    },
  });

  const vocabulary: Vocabulary = {
    countOf: (token) => counts[numbers.get(token) ?? -1] ?? 0,
    withPrefix: (prefix, limit) => {
      sorted ??= tokens.toSorted(compare);
      const found: { token: string; chunks: number }[] = [];
      for (let at = firstFrom(sorted, prefix); found.length < limit; at++) {
        const token = sorted[at];
        if (!token?.startsWith(prefix)) break;
        const chunks = vocabulary.countOf(token);
        if (chunks > 0) found.push({ token, chunks });
      }
      return found;
    },
  };

  return {
    refresh: async (chunks) => {
      await rows.refresh(chunks);
      return vocabulary;
    },
  };
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function firstFrom(sorted: readonly string[], prefix: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < prefix) low = middle + 1;
    else high = middle;
  }
  return low;
}
