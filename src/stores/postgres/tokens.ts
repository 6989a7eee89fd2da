import { sha256 } from "../../text/hash.ts";

/** Tokens joined by blanks. The same input must always give the same tokens, see `analyserId`. */
export type Tokens = (chunk: { text: string; headings: readonly string[]; path: string }) => {
  body: string;
  head: string;
};

export interface TokenCounts {
  /** How often each token stands in the text, and in headings and path. */
  readonly counts: ReadonlyMap<string, { body: number; head: number }>;
  readonly total: number;
}

export function countTokens({ body, head }: { body: string; head: string }): TokenCounts {
  const counts = new Map<string, { body: number; head: number }>();
  let total = 0;
  for (const [part, text] of [
    ["body", body],
    ["head", head],
  ] as const) {
    for (const token of splitTokens(text)) {
      total++;
      const known = counts.get(token);
      if (known === undefined) counts.set(token, { body: 0, head: 0, [part]: 1 });
      else known[part]++;
    }
  }
  return { counts, total };
}

/** A NUL is no part of a token, and capital letters of ASCII are not told from small ones, as in SQLite. */
export function splitTokens(text: string): string[] {
  const plain = text.includes("\0") ? text.replaceAll("\0", "") : text;
  return plain
    .toWellFormed()
    .split(" ")
    .filter((token) => token !== "")
    .map(foldToken);
}

/** An entry of an index holds 2,700 bytes at most. */
const mostChars = 600;

function foldToken(token: string): string {
  const folded = /[A-Z]/.test(token) ? token.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : token;
  return folded.length <= mostChars
    ? folded
    : `${folded.slice(0, mostChars / 2).toWellFormed()}${sha256(folded)}`;
}
