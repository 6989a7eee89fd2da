import type { Embedder, WordComparison } from "../embedders/embedder.ts";
import { textPattern } from "../text/text-pattern.ts";
import type { Passage } from "./passages.ts";
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

export function textOf({ chunk, lines, isMatched }: Pick<Passage, "chunk" | "lines" | "isMatched">): string {
  if (!isMatched) return chunk.text;
  const first = lines.start - chunk.lines.start;
  return chunk.text
    .split("\n")
    .slice(first, first + lines.end - lines.start + 1)
    .join("\n");
}
