import type { QueryTerm } from "../../search/query-terms.ts";
import type { QueryWords } from "../../search/query-words.ts";
import { foldWord } from "../../text/words/fold.ts";
import { isUnspaced } from "../../text/words/word-characters.ts";

/** More sub-queries find hardly more, and each costs qmd a search. */
const mostQueries = 24;
const mostTogether = 6;
const mostFormsEach = 2;

/**
 * The sub-queries for the words of a question. qmd wants every word of a query in a document, which empties most
 * questions, so each word is asked for alone, and besides neighbours together and all together, so that a document
 * with several of them is found before those with one. Nothing of qmd's own syntax is left in them.
 */
export function rewriteQuery(
  query: string,
  { words }: QueryWords,
  terms: readonly QueryTerm[],
): readonly string[] {
  const meant = new Set(words.map(({ text }) => text));
  // As written, because folding may write a letter as two (ß) and qmd does not.
  const written = [...query.matchAll(/[\p{L}\p{N}\p{M}_]+/gu)]
    .map(([word]) => word)
    .filter((word) => !isUnspaced(word) && meant.has(foldWord(word).replaceAll("_", "")));
  const plain = words
    .filter(({ kind }) => kind === "word" || kind === "hash" || kind === "pair" || kind === "character")
    .map(({ text }) => bare(text));
  const forms = terms.flatMap((term) =>
    [...term.forms.keys()].filter((form) => form !== term.text).slice(0, mostFormsEach),
  );
  const singles = unique([...written, ...plain]);
  const spoken = written.length > 0 ? unique(written) : unique(plain);
  const neighbours = spoken.slice(1, mostTogether + 1).map((word, i) => `${spoken[i]} ${word}`);
  const all = spoken.length > 2 && spoken.length <= mostTogether ? [spoken.join(" ")] : [];
  return unique([...all, ...neighbours, ...singles, ...forms.map(bare)])
    .filter((each) => each !== "")
    .slice(0, mostQueries);
}

/** A question by meaning is one line, and no word of it may look like one that is not wanted. */
export function rewriteMeaning(query: string): string | null {
  const line = query
    .replaceAll(/\s+/g, " ")
    .replaceAll(/(^|\s)-+(?=\S)/g, "$1")
    .trim();
  return line === "" ? null : line;
}

function bare(token: string): string {
  return token.replaceAll(/[^\p{L}\p{N}\p{M}_]+/gu, " ").trim();
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
