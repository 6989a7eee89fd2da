/** The input of the analyzer for a chunk. */
export interface TokenInput {
  readonly text: string;
  readonly headings: readonly string[];
  readonly path: string;
}

/** Tokens joined by spaces. The same input must always give the same tokens, see `analyzerId`. */
export type Tokens = (chunk: TokenInput) => { body: string; head: string };

/** The tokens of `ChunkWords`. */
export function splitTokens(words: Uint8Array): string[] {
  return Buffer.from(words.buffer, words.byteOffset, words.byteLength)
    .toString()
    .split(" ")
    .filter((token) => token !== "");
}
