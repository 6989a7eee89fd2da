import type { FullTextQuery, Lance, LanceTable } from "./lance-package.ts";

/*
 * Words in LanceDB: the tokens of our analyser joined by blanks. Its tokenizer splits at blanks, tabs and ends of lines,
 * so those that are part of a token are written as characters that no text has; it knows no operators.
 */

/** Tokens as they are indexed. */
export function encodeTokens(tokens: string): string {
  return tokens.replace(/[\0\t\n\f\r]/g, (character) =>
    character === "\0" ? "" : String.fromCodePoint(privateUse + character.charCodeAt(0)),
  );
}

const privateUse = 0xf_0000;

/** The column with the full-text index. */
export const wordsColumn = "words";

/**
 * The words of a chunk as columns. Each word once is what is indexed: of rows that are not in the index yet LanceDB takes
 * how often a word stands in them all for the number of rows that have it, and finds none of a word that is often
 * repeated.
 */
export function wordColumns(tokens: { body: string; head: string }) {
  const [body, head] = [encodeTokens(tokens.body), encodeTokens(tokens.head)];
  const all = `${body} ${head}`.split(" ").filter((token) => token !== "");
  return { body, head, words: [...new Set(all)].join(" "), token_count: all.length };
}

/** Builds or rebuilds the index. It tokenises at blanks, and nothing else. */
export async function indexWords({ Index }: Lance, chunks: LanceTable): Promise<void> {
  const config = Index.fts({
    baseTokenizer: "whitespace",
    withPosition: false,
    maxTokenLength: 1_000_000,
    lowercase: false,
    stem: false,
    removeStopWords: false,
    asciiFolding: false,
  });
  await chunks.createIndex(wordsColumn, { config });
}

/** What to look for, each token once; one with a blank in it is in no chunk. */
export function encodeQuery(tokens: readonly string[]): string[] {
  const encoded = tokens.map((token) => encodeTokens(token.toWellFormed()));
  return [...new Set(encoded.filter((token) => /^[^ ]+$/.test(token)))];
}

/** Rows with any of the words. */
export function anyOf({ MatchQuery, Operator }: Lance, words: readonly string[]): FullTextQuery {
  return new MatchQuery(words.join(" "), wordsColumn, { operator: Operator.Or, fuzziness: 0 });
}
