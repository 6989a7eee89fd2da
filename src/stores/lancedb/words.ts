import type { FullTextQuery, Lance, LanceTable } from "./lance-package.ts";

/*
 * LanceDB indexes the tokens of our analyzer, joined by spaces. Its tokenizer splits at spaces, tabs and line ends, so
 * those within a token are replaced by private use characters; it has no operators.
 */

/** Tokens in their indexed form. */
export function encodeTokens(tokens: string): string {
  return tokens.replace(/[\0\t\n\f\r]/g, (character) =>
    character === "\0" ? "" : String.fromCodePoint(privateUse + character.charCodeAt(0)),
  );
}

const privateUse = 0xf_0000;

/** The column with the full-text index. */
export const wordsColumn = "words";

/**
 * The tokens of a chunk as columns. Each token is indexed once: for rows that are not in the index yet, LanceDB takes
 * the term frequency for the document frequency, and would not find a token that is often repeated.
 */
export function wordColumns(tokens: { body: string; head: string }) {
  const [body, head] = [encodeTokens(tokens.body), encodeTokens(tokens.head)];
  const all = `${body} ${head}`.split(" ").filter((token) => token !== "");
  return { body, head, words: [...new Set(all)].join(" "), token_count: all.length };
}

/** Builds or rebuilds the index. It splits at whitespace, and nothing else. */
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

/** The tokens to search for, each once; one with a space in it is in no chunk. */
export function encodeQuery(tokens: readonly string[]): string[] {
  const encoded = tokens.map((token) => encodeTokens(token.toWellFormed()));
  return [...new Set(encoded.filter((token) => /^[^ ]+$/.test(token)))];
}

/** Rows with any of the tokens. */
export function anyOf({ MatchQuery, Operator }: Lance, words: readonly string[]): FullTextQuery {
  return new MatchQuery(words.join(" "), wordsColumn, { operator: Operator.Or, fuzziness: 0 });
}
