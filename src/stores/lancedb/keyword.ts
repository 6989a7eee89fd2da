import type { ChunkFilter } from "../store.ts";
import { prepareFilter } from "./filter.ts";
import { type FoundRow, rankRows } from "./rank-rows.ts";
import type { Session } from "./session.ts";
import { createVocabulary } from "./vocabulary.ts";
import { anyOf, encodeQuery, encodeTokens } from "./words.ts";

/** So many questions are counted by full-text searches; who asks more is worth reading all words into memory. */
const questionsWithoutMemory = 2;
/** Our score chooses among more than are wanted, because LanceDB's would choose others. */
const leastRanked = 1000;
const rankedPerWanted = 5;

/** The questions about words. What is held in memory belongs to one session. */
export function createKeyword({ headWeight }: { readonly headWeight: number }) {
  const held = new WeakMap<Session, ReturnType<typeof createVocabulary>>();
  const counted = new WeakMap<Session, Counted>();
  let questions = 0;

  const vocabularyOf = (session: Session) => {
    const known = held.get(session) ?? createVocabulary();
    held.set(session, known);
    return known.refresh(session.chunks);
  };

  /** What was counted by queries, until the table changes. */
  const countedIn = async (session: Session): Promise<Counted> => {
    const version = await session.chunks.version();
    const known = counted.get(session);
    if (known?.version === version) return known;
    const none: Counted = { version, counts: new Map() };
    counted.set(session, none);
    return none;
  };

  const countRows = async ({ lance, chunks }: Session, word: string): Promise<number> => {
    const limit = Math.max(1, await chunks.countRows());
    const query = chunks
      .query()
      .fullTextSearch(anyOf(lance, [word]))
      .select(["id"]);
    return (await query.limit(limit).toArrow()).numRows;
  };

  /** The number of chunks that hold each word. */
  const countWords = async (session: Session, words: readonly string[]): Promise<Map<string, number>> => {
    const vocabulary = held.has(session) ? await vocabularyOf(session) : null;
    if (vocabulary !== null) return new Map(words.map((word) => [word, vocabulary.countOf(word)]));
    const { counts } = await countedIn(session);
    const missing = words.filter((word) => !counts.has(word));
    await Promise.all(
      missing.map(async (word) =>
        counts.set(word, /^[^ ]+$/.test(word) ? await countRows(session, word) : 0),
      ),
    );
    return new Map(words.map((word) => [word, counts.get(word)!]));
  };

  return {
    /** When words were written anew under the same keys. */
    forget: (session: Session): void => void held.delete(session),
    async byKeyword(
      session: Session,
      tokens: readonly string[],
      { limit, filter }: { limit: number; filter?: ChunkFilter },
    ): Promise<number[]> {
      const { lance, chunks } = session;
      const total = await chunks.countRows();
      const most = Math.min(Math.trunc(limit), total);
      const words = encodeQuery(tokens);
      if (!(most > 0) || words.length === 0) return [];
      const { sql, isNarrow, accepts } = await prepareFilter(chunks, filter);
      const search = chunks
        .query()
        .fullTextSearch(anyOf(lance, words))
        .select([...rowColumns, "_score"]);
      // Only chunks have words. A condition that all of them meet would be worked out for each.
      if (isNarrow) search.where(sql);
      const found = await search.limit(Math.max(leastRanked, rankedPerWanted * most)).toArrow();
      const rows = readRows(found).filter(({ path }) => accepts(path));
      if (rows.length <= most) return rows.map(({ id }) => id);
      const counts = await countWords(session, words);
      const countOf = (word: string): number => counts.get(word)!;
      const ranked = rankRows(rows, words, { chunks: total, headWeight, countOf });
      return ranked.slice(0, most).map(({ id }) => id);
    },
    async documentFrequencies(session: Session, tokens: readonly string[]): Promise<Map<string, number>> {
      if (tokens.length === 0) return new Map();
      const encoded = tokens.map((token) => encodeTokens(token.toWellFormed()));
      if (questions++ >= questionsWithoutMemory) await vocabularyOf(session);
      const counts = await countWords(session, encoded);
      return new Map(tokens.map((token, index) => [token, counts.get(encoded[index]!)!]));
    },
    async tokensWithPrefix(session: Session, prefix: string, limit: number) {
      const most = Math.trunc(limit);
      if (!(most > 0)) return [];
      return (await vocabularyOf(session)).withPrefix(encodeTokens(prefix), most);
    },
  };
}

interface Counted {
  readonly version: number;
  readonly counts: Map<string, number>;
}

const rowColumns = ["id", "path", "body", "head", "token_count"];

type Rows = Awaited<ReturnType<ReturnType<Session["chunks"]["query"]>["toArrow"]>>;

/** Column by column: rows of Arrow look for the column at every look. */
function readRows(table: Rows): FoundRow[] {
  const [ids, paths, bodies, heads, counts] = rowColumns.map((name) => table.getChild(name)!);
  return Array.from({ length: table.numRows }, (_, at) => ({
    id: ids!.get(at),
    path: paths!.get(at),
    body: bodies!.get(at),
    head: heads!.get(at),
    tokenCount: counts!.get(at),
  }));
}
