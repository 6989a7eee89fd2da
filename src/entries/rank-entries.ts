/** What is known about an entry and a question. */
export interface EntryEvidence<T> {
  readonly entry: T;
  /** The score of the passage in which the search by word found it; null when it did not. */
  readonly wordScore: number | null;
  /** The share of the question's words that it has. */
  readonly wordShare: number;
  /** The cosine of the question and its text; null where it is not among the nearest. */
  readonly similarity: number | null;
  readonly importance: number;
}

export interface RankOptions {
  /** The cosine that an entry reaches without any relation to the question, and the best of all by chance. */
  readonly background: number;
  readonly chance: number;
  readonly minScore: number;
  readonly limit: number;
}

/** Entries in the order of how well they answer; each side alone may be enough. */
export function rankEntries<T>(
  found: readonly EntryEvidence<T>[],
  { background, chance, minScore, limit }: RankOptions,
): { readonly entry: T; readonly score: number }[] {
  return found
    .map(({ entry, wordScore, wordShare, similarity, importance }) => {
      const words = wordScore === null ? 0 : wordScore * (0.5 + wordShare / 2);
      const isNear = similarity !== null && (words > 0 || similarity > chance);
      const meaning = isNear ? Math.max(0, (similarity - background) / (1 - background)) : 0;
      const score = 1 - (1 - Math.min(1, words)) * (1 - Math.min(1, meaning));
      return { entry, score: score * (1 - importanceShare * (1 - importance)) };
    })
    .filter(({ score }) => score >= minScore)
    .sort((left, right) => right.score - left.score)
    .slice(0, limit);
}

/** It decides between equals and never against a better answer. */
const importanceShare = 0.05;

/** For unrelated texts of the builtin model, and how far they scatter. */
const unrelated = 0.05;
const spread = 0.09;
/** With fewer entries the weakest of the nearest may well be an answer. */
const enough = 50;

/** Where chance ends, from the similarities of the nearest entries, best first. */
export function judgeChance(
  nearest: readonly { readonly similarity: number }[],
  total: number,
): Pick<RankOptions, "background" | "chance"> {
  const weakest = nearest.length >= enough ? nearest.at(-1)!.similarity : unrelated;
  const background = Math.min(0.9, Math.max(unrelated, weakest));
  return { background, chance: background + spread * Math.sqrt(2 * Math.log(Math.max(2, total))) };
}
