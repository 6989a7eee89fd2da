import type { WordAligner } from "../embedders/embedder.ts";
import type { Passage } from "./passages.ts";
import type { QueryTerm } from "./query-terms.ts";

/** Among fewer passages the median may itself be an answer. */
const enoughPassages = 8;
/** Typical similarity of the most similar word in an unrelated passage. */
const usualBackground = 0.3;

/**
 * The fraction of a query, by weight, that similar words in a passage cover. Each query word that the chunk lacks
 * counts by the cosine of the most similar word, as far as it exceeds the median over all passages: among a hundred
 * words one is always somewhat similar. A passage without a match is compared as its whole chunk.
 */
export function alignPassages(
  passages: readonly Passage[],
  terms: readonly QueryTerm[],
  alignWords: (words: readonly string[]) => WordAligner,
): Map<Passage, number> {
  const words = [...terms.keys()].filter((t) => terms[t]!.kind === "word");
  const total = terms.reduce((sum, { weight }) => sum + weight, 0);
  if (words.length === 0 || total === 0) return new Map();
  const align = alignWords(words.map((t) => terms[t]!.text));
  const cosines = passages.map((passage) => align(textOf(passage)));
  const backgrounds = words.map((_, word) => backgroundOf(cosines.map((row) => row[word]!)));
  return new Map(
    passages.map((passage, i) => {
      let sum = 0;
      for (const [word, t] of words.entries()) {
        if (passage.contributions[t] !== 0) continue;
        const background = backgrounds[word]!;
        sum += terms[t]!.weight * Math.max(0, (cosines[i]![word]! - background) / (1 - background));
      }
      return [passage, Math.min(1, sum / total)];
    }),
  );
}

function backgroundOf(cosines: readonly number[]): number {
  const median = cosines.toSorted((a, b) => a - b)[cosines.length >> 1] ?? 0;
  return Math.min(0.95, cosines.length < enoughPassages ? Math.min(median, usualBackground) : median);
}

/** A term of these kinds means itself and nothing else: a hash, `git.py`, `@handle`, an emoji. */
const literalKinds: ReadonlySet<QueryTerm["kind"]> = new Set(["hash", "exact", "emoji"]);

/**
 * The fraction of a query, by weight, that the model can say anything about. Numbers, identifiers, and words that the
 * notes have but the model does not know can only match literally.
 */
export function wordShare(terms: readonly QueryTerm[], knowsWord: (word: string) => boolean): number {
  const sum = (some: readonly QueryTerm[]): number => some.reduce((total, { weight }) => total + weight, 0);
  const words = terms.filter(
    ({ kind, text, chunks }) =>
      !literalKinds.has(kind) && !/\p{N}/u.test(text) && (kind !== "word" || chunks === 0 || knowsWord(text)),
  );
  return terms.length === 0 ? 1 : sum(words) / sum(terms);
}

export function textOf({ chunk, lines, isMatched }: Pick<Passage, "chunk" | "lines" | "isMatched">): string {
  if (!isMatched) return chunk.text;
  const first = lines.start - chunk.lines.start;
  return chunk.text
    .split("\n")
    .slice(first, first + lines.end - lines.start + 1)
    .join("\n");
}
