import type { Embedder, WordComparison } from "../embedders/embedder.ts";
import { textPattern } from "../text/text-pattern.ts";
import { type Passage, textOf } from "./passages.ts";
import type { QueryTerm } from "./query-terms.ts";

/** Among fewer passages the median may itself be an answer. */
const enoughPassages = 8;
/** Typical similarity of an unrelated passage, and of its most similar word. */
const usualBackground = 0.3;

/** An embedder that also compares words, which is the builtin model. */
export type WordModel = Required<Pick<Embedder, "compareWords" | "knowsWord">>;

/** What the builtin model says about the words of a passage. */
export interface AlignedPassage {
  /**
   * The fraction of the query, by weight, that similar words cover. Each query word that the chunk lacks counts by the
   * cosine of the most similar word, as far as it exceeds the median over all passages: among a hundred words one is
   * always somewhat similar.
   */
  readonly covered: number;
  /**
   * How much more similar to the query than the median passage its words are, if those that most passages have hardly
   * count: they do not tell the passages apart. Negative if less similar. It means little if the model does not know
   * every word of the query, because the others may be what tells the passages apart.
   */
  readonly contrast: number;
}

/** Compares the passages with each other by their words. A passage without a match is compared as its whole chunk. */
export function alignPassages(
  passages: readonly Passage[],
  query: string,
  terms: readonly QueryTerm[],
  { compareWords, knowsWord }: WordModel,
): Map<Passage, AlignedPassage> {
  const words = [...terms.keys()].filter((t) => terms[t]!.kind === "word");
  const total = terms.reduce((sum, { weight }) => sum + weight, 0);
  if (words.length === 0 || total === 0) return new Map();
  const texts = passages.map(textOf);
  const compared = compareWords(
    query,
    words.map((t) => terms[t]!.text),
    texts,
  );
  const backgrounds = words.map((_, word) => backgroundOf(compared.map(({ cosines }) => cosines[word]!)));
  const usual = backgroundOf(compared.flatMap(({ similarity }) => similarity ?? []));
  const trust = knownWordShare(terms, knowsWord) ** 4;
  const coveredBy = (passage: Passage, { cosines }: WordComparison): number => {
    let sum = 0;
    for (const [word, t] of words.entries()) {
      if (passage.contributions[t] !== 0) continue;
      const background = backgrounds[word]!;
      sum += terms[t]!.weight * Math.max(0, (cosines[word]! - background) / (1 - background));
    }
    return Math.min(1, sum / total);
  };
  return new Map(
    passages.map((passage, i) => {
      const { similarity } = compared[i]!;
      const contrast = similarity === null ? 0 : trust * (similarity - usual);
      return [passage, { covered: coveredBy(passage, compared[i]!), contrast }];
    }),
  );
}

function backgroundOf(cosines: readonly number[]): number {
  const median = cosines.toSorted((a, b) => a - b)[cosines.length >> 1] ?? 0;
  return Math.min(0.95, cosines.length < enoughPassages ? Math.min(median, usualBackground) : median);
}

/** A term of these kinds means itself and nothing else: a hash, `git.py`, `@handle`, an emoji. */
const literalKinds: ReadonlySet<QueryTerm["kind"]> = new Set(["hash", "exact", "emoji"]);

const number = textPattern(String.raw`\p{N}`);

/**
 * The fraction of a query, by weight, that the model can say anything about. Numbers, identifiers, and words that the
 * notes have but the model does not know can only match literally.
 */
export function wordShare(terms: readonly QueryTerm[], knowsWord: (word: string) => boolean): number {
  const sum = (some: readonly QueryTerm[]): number => some.reduce((total, { weight }) => total + weight, 0);
  const words = terms.filter(
    ({ kind, text, chunks }) =>
      !literalKinds.has(kind) &&
      !number(text).test(text) &&
      (kind !== "word" || chunks === 0 || knowsWord(text)),
  );
  return terms.length === 0 ? 1 : sum(words) / sum(terms);
}

/** The fraction of a query's words, by weight, that the model knows. Joined words are guesses and do not count. */
function knownWordShare(terms: readonly QueryTerm[], knowsWord: (word: string) => boolean): number {
  let [known, total] = [0, 0];
  for (const { kind, text, weight } of terms) {
    if (kind === "joined") continue;
    total += weight;
    if (kind === "word" && !number(text).test(text) && knowsWord(text)) known += weight;
  }
  return total === 0 ? 0 : known / total;
}

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

interface Assistance {
  readonly termCount: number;
  /** Fraction of the query, by weight, that the builtin model can know. */
  readonly knownShare: number;
  /** The best passages, compared by their words; see `alignPassages`. */
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
