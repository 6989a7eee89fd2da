import type { Corpus } from "../bm25.ts";
import type { ChunkFilter, KeywordClause } from "../store.ts";
import { prepareFilter } from "./filter.ts";
import type { FullTextQuery, LanceTable } from "./lance-package.ts";
import { type FoundRow, rankRows } from "./rank-rows.ts";
import type { Session } from "./session.ts";
import { createVocabulary } from "./vocabulary.ts";
import { countPhrase, encodeTokens, isSingle, type Phrase, readPhrases, wordQuery } from "./words.ts";

/** So many questions are counted by full-text searches; who asks more is worth reading all words into memory. */
const questionsWithoutMemory = 2;
const mostExpanded = 2000;
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

  const countRows = async ({ lance, chunks }: Session, words: readonly string[]): Promise<number> => {
    const phrases = words.map((word) => ({ words: [word], prefix: false }));
    const query = wordQuery(lance, phrases, () => []);
    if (query === null) return 0;
    return (await findAll(chunks, query, ["id"])).numRows;
  };

  /** In how many chunks the words of a phrase follow each other. */
  const countHolders = async ({ lance, chunks }: Session, phrase: Phrase): Promise<number> => {
    const query = wordQuery(lance, [phrase], () => []);
    if (query === null) return 0;
    const rows = readRows(await findAll(chunks, query, rowColumns));
    return rows.filter((row) => holds(row, phrase)).length;
  };

  /** In how many chunks each word stands. */
  const countWords = async (session: Session, words: readonly string[]): Promise<Map<string, number>> => {
    const vocabulary = held.has(session) ? await vocabularyOf(session) : null;
    if (vocabulary !== null) return new Map(words.map((word) => [word, vocabulary.countOf(word)]));
    const { counts } = await countedIn(session);
    const missing = words.filter((word) => !counts.has(word));
    await Promise.all(
      missing.map(async (word) =>
        counts.set(word, /^[^ ]+$/.test(word) ? await countRows(session, [word]) : 0),
      ),
    );
    return new Map(words.map((word) => [word, counts.get(word)!]));
  };

  const corpusOf = async (session: Session): Promise<Corpus> => {
    if (held.has(session)) return (await vocabularyOf(session)).corpus();
    const known = await countedIn(session);
    known.corpus ??= await measureCorpus(session.chunks);
    return known.corpus;
  };

  return {
    /** When words were written anew under the same keys. */
    forget: (session: Session): void => void held.delete(session),
    async byKeyword(
      session: Session,
      clauses: readonly KeywordClause[],
      { limit, filter }: { limit: number; filter?: ChunkFilter },
    ): Promise<number[]> {
      const { lance, chunks } = session;
      const most = Math.min(Math.trunc(limit), await chunks.countRows());
      const phrases = readPhrases(clauses);
      if (!(most > 0) || phrases.length === 0) return [];
      const vocabulary = phrases.some(({ prefix }) => prefix) ? await vocabularyOf(session) : null;
      const expand = (prefix: string) =>
        (vocabulary?.withPrefix(prefix, mostExpanded) ?? []).map(({ token }) => token);
      const query = wordQuery(lance, phrases, expand);
      if (query === null) return [];
      const { sql, isNarrow, accepts } = await prepareFilter(chunks, filter);
      const search = chunks
        .query()
        .fullTextSearch(query)
        .select([...rowColumns, "_score"]);
      // Only chunks have words. A condition that all of them meet would be worked out for each.
      if (isNarrow) search.where(sql);
      const found = await search.limit(Math.max(leastRanked, rankedPerWanted * most)).toArrow();
      const rows = readRows(found).filter(({ path }) => accepts(path));
      const plain = phrases.filter((phrase) => isSingle(phrase) && !phrase.prefix);
      const wordCounts = await countWords(
        session,
        plain.map(({ words: [word] }) => word!),
      );
      const counts = new Map<Phrase, number>();
      for (const phrase of phrases) {
        const [word] = phrase.words;
        if (!isSingle(phrase)) counts.set(phrase, await countHolders(session, phrase));
        else if (phrase.prefix) counts.set(phrase, await countRows(session, expand(word!)));
        else counts.set(phrase, wordCounts.get(word!)!);
      }
      const corpus = await corpusOf(session);
      const ranked = rankRows(rows, phrases, {
        corpus,
        headWeight,
        countOf: (phrase) => counts.get(phrase)!,
      });
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
  corpus?: Corpus;
}

function holds({ body, head }: FoundRow, phrase: Phrase): boolean {
  return [body, head].some((tokens) => countPhrase(tokens.split(" "), phrase) > 0);
}

const rowColumns = ["id", "path", "position", "body", "head", "token_count"];

type Rows = Awaited<ReturnType<ReturnType<LanceTable["query"]>["toArrow"]>>;

async function findAll(chunks: LanceTable, query: FullTextQuery, columns: string[]): Promise<Rows> {
  const most = Math.max(1, await chunks.countRows());
  return await chunks.query().fullTextSearch(query).select(columns).limit(most).toArrow();
}

/** Column by column: rows of Arrow look for the column at every look. */
function readRows(table: Rows): FoundRow[] {
  const [ids, paths, positions, bodies, heads, counts] = rowColumns.map((name) => table.getChild(name)!);
  return Array.from({ length: table.numRows }, (_, at) => ({
    id: ids!.get(at),
    path: paths!.get(at),
    position: positions!.get(at),
    body: bodies!.get(at),
    head: heads!.get(at),
    tokenCount: counts!.get(at),
  }));
}

async function measureCorpus(chunks: LanceTable): Promise<Corpus> {
  let corpus = { chunks: 0, tokens: 0 };
  for await (const batch of chunks.query().where("id IS NOT NULL").select(["token_count"])) {
    const counts = batch.getChild("token_count")!;
    let { tokens } = corpus;
    for (let at = 0; at < batch.numRows; at++) tokens += counts.get(at);
    corpus = { chunks: corpus.chunks + batch.numRows, tokens };
  }
  return corpus;
}
