import type { ChunkFilter, KeywordClause } from "../store.ts";
import { prepareFilter } from "./filter.ts";
import type { Session } from "./session.ts";
import { createVocabulary } from "./vocabulary.ts";
import { encodeTokens, wordQuery } from "./words.ts";

/** So many questions are counted by full-text searches; who asks more is worth reading all words into memory. */
const questionsWithoutMemory = 2;
const mostExpanded = 2000;

/** The questions about words. What is held in memory belongs to one session. */
export function createKeyword({ headWeight }: { readonly headWeight: number }) {
  const held = new WeakMap<Session, ReturnType<typeof createVocabulary>>();
  let questions = 0;

  const vocabularyOf = (session: Session) => {
    const known = held.get(session) ?? createVocabulary();
    held.set(session, known);
    return known.refresh(session.chunks);
  };

  const countByQuery = async ({ lance, chunks }: Session, token: string, most: number): Promise<number> => {
    const asked = wordQuery(lance, [{ tokens: [token] }], { headWeight, expand: () => [] });
    if (asked === null) return 0;
    const { query, accepts } = asked;
    if (accepts !== null) return 0;
    return (await chunks.query().fullTextSearch(query).select(["id"]).limit(most).toArrow()).numRows;
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
      if (!(most > 0)) return [];
      const vocabulary = clauses.some(({ prefix }) => prefix) ? await vocabularyOf(session) : null;
      const expand = (prefix: string) =>
        (vocabulary?.withPrefix(prefix, mostExpanded) ?? []).map(({ token }) => token);
      const asked = wordQuery(lance, clauses, { headWeight, expand });
      if (asked === null) return [];
      const { sql, isNarrow, accepts } = await prepareFilter(chunks, filter);
      const columns = ["id", "path", "position", "_score", ...(asked.accepts ? ["body", "head"] : [])];
      const search = chunks.query().fullTextSearch(asked.query).select(columns);
      // Only chunks have words. A condition that all of them meet would be worked out for each.
      if (isNarrow) search.where(sql);
      const rows: Found[] = await search
        // All that match one by one, because not each of them does as a whole.
        .limit(asked.accepts ? await chunks.countRows() : most)
        .toArray();
      return rows
        .filter(({ path, body, head }) => accepts(path) && (asked.accepts?.(body, head) ?? true))
        .map(({ id, path, position, _score }) => ({ id, path, position, _score }))
        .sort(byScore)
        .slice(0, most)
        .map(({ id }) => id);
    },
    async documentFrequencies(session: Session, tokens: readonly string[]): Promise<Map<string, number>> {
      if (tokens.length === 0) return new Map();
      const encoded = tokens.map((token) => encodeTokens(token.toWellFormed()));
      if (questions++ < questionsWithoutMemory) {
        const most = Math.max(1, await session.chunks.countRows());
        const counts = await Promise.all(encoded.map((token) => countByQuery(session, token, most)));
        return new Map(tokens.map((token, index) => [token, counts[index]!]));
      }
      const { countOf } = await vocabularyOf(session);
      return new Map(tokens.map((token, index) => [token, countOf(encoded[index]!)]));
    },
    async tokensWithPrefix(session: Session, prefix: string, limit: number) {
      const most = Math.trunc(limit);
      if (!(most > 0)) return [];
      return (await vocabularyOf(session)).withPrefix(encodeTokens(prefix), most);
    },
  };
}

interface Found {
  readonly id: number;
  readonly path: string;
  readonly position: number;
  readonly _score: number;
  readonly body: string;
  readonly head: string;
}

/** Equal ones in the order in which they stand in the notes. */
function byScore(a: Omit<Found, "body" | "head">, b: Omit<Found, "body" | "head">): number {
  return b._score - a._score || (a.path < b.path ? -1 : a.path > b.path ? 1 : a.position - b.position);
}
