import { sha256 } from "../../text/hash.ts";
import { countOnce, onceInBody, onceInHead } from "./postings.ts";

export interface TokenCounts {
  /** How often each token stands in the text, and in headings and path, see `postings.ts`. */
  readonly counts: ReadonlyMap<string, number>;
  readonly total: number;
}

export function countTokens({ body, head }: { body: string; head: string }): TokenCounts {
  const counts = new Map<string, number>();
  const inBody = splitTokens(body);
  const inHead = splitTokens(head);
  for (const token of inBody) counts.set(token, countOnce(counts.get(token) ?? 0, onceInBody));
  for (const token of inHead) counts.set(token, countOnce(counts.get(token) ?? 0, onceInHead));
  return { counts, total: inBody.length + inHead.length };
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
