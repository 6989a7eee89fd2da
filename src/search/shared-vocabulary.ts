import type { SearchedStore } from "./join-stores.ts";
import type { Vocabulary } from "./query-terms.ts";

/** A word in more chunks than this says nothing about a few private notes. */
const maxCounted = 1000;

/** The words that a group may know: those of private notes do not count, nor are they guessed for a misspelt word. */
export function sharedVocabulary(
  store: Pick<SearchedStore, "byKeyword" | "documentFrequencies" | "tokensWithPrefix">,
): Vocabulary {
  const { tokensWithPrefix } = store;
  const onlyShared = { limit: maxCounted, filter: { sharedOnly: true } };

  async function countShared(token: string, chunks: number): Promise<number> {
    if (chunks === 0 || chunks > maxCounted) return chunks;
    return (await store.byKeyword([token], onlyShared)).length;
  }

  return {
    async documentFrequencies(tokens) {
      const all = [...(await store.documentFrequencies(tokens))];
      return new Map(
        await Promise.all(
          all.map(async ([token, chunks]) => [token, await countShared(token, chunks)] as const),
        ),
      );
    },
    ...(tokensWithPrefix && { tokensWithPrefix: tokensWithPrefix.bind(store) }),
    async known(tokens) {
      const counted = tokens.map(async (each) => ({
        ...each,
        chunks: await countShared(each.token, each.chunks),
      }));
      return (await Promise.all(counted)).filter(({ chunks }) => chunks > 0);
    },
  };
}
