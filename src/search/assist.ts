import type { AlignedPassage } from "./align.ts";
import type { Passage } from "./passages.ts";

/**
 * What the builtin model may add to a keyword score; chosen with `longhand eval`, see docs/search.md. It adds most to
 * medium keyword matches: a small boost would decide between poor ones, and good ones need none. It adds less to
 * queries with numbers and identifiers. The likeness of a whole text says less about a long query, which has many
 * subjects; alignment covers one word after the other, so it does not lose by length.
 */
const assistance = {
  similarity: 0.35,
  alignment: 0.7,
  contrast: 0.35,
  goodScore: 0.4,
  minScore: 0.15,
  usualTerms: 5,
  most: 1.3,
};
/** If even the best chunk is not similar, it is raised no further. */
const minBest = 0.41;

export interface Assistance {
  readonly termCount: number;
  /** Fraction of the query, by weight, that the builtin model can know. */
  readonly knownShare: number;
  /** The best passages, compared by their words; see `align.ts`. */
  readonly aligned?: ReadonlyMap<Passage, AlignedPassage> | undefined;
  /** Of the builtin model; absent where another embedder compares the chunks. */
  readonly similarity?: { readonly best: number; readonly scores: readonly (number | null)[] };
}

/** The keyword scores of passages, in their order, raised by what the builtin model says of them. */
export function raiseScores(
  passages: readonly Passage[],
  { termCount, knownShare, aligned, similarity }: Assistance,
): number[] {
  const raw = passages.map(({ score }) => score);
  const bestRaw = raw.reduce((most, score) => Math.max(most, score), assistance.minScore);
  const { goodScore, usualTerms, most } = assistance;
  const share = knownShare ** 2 * Math.min(Math.sqrt(bestRaw / goodScore), (1 - bestRaw) / (1 - goodScore));
  const byLength = Math.min(most, (usualTerms / Math.max(1, termCount)) ** 0.6);
  // A compromise between the similarity on the model's scale and relative to the best chunk: even a query without a
  // similar chunk has a most similar one.
  const perSimilarity =
    (byLength * assistance.similarity) / Math.sqrt(Math.max(similarity?.best ?? 0, minBest));
  return raw.map((text, i) => {
    const { covered, contrast } = aligned?.get(passages[i]!) ?? { covered: 0, contrast: 0 };
    const bySimilarity = perSimilarity * (similarity?.scores[i] ?? 0);
    const byText = bySimilarity + byLength * assistance.contrast * contrast;
    const byWords = Math.max(1, byLength) * assistance.alignment * covered;
    return text + (1 - text) * share * (byText + byWords);
  });
}
