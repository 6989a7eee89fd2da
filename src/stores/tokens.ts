/** What the words of a chunk are made from. */
export interface TokenInput {
  readonly text: string;
  readonly headings: readonly string[];
  readonly path: string;
}

/** Tokens joined by blanks. The same input must always give the same tokens, see `analyserId`. */
export type Tokens = (chunk: TokenInput) => { body: string; head: string };
