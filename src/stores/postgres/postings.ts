import { sha256 } from "../../text/hash.ts";

/*
 * The postings of a token: six bytes per chunk, little-endian. Two are the position of the chunk within its block of
 * keys, two its token count, one each the term frequency in its text and in its headings and path. Larger numbers are
 * capped: beyond the cap they change no order.
 */

/** Keys per row. A larger block makes fewer rows, but more to rewrite for each new chunk. */
export const blockSize = 2048;
export const entryBytes = 6;

export function blockOf(key: number): number {
  return Math.floor(key / blockSize);
}

const maxFrequency = 0xff;

/** Term frequencies in a chunk, packed into one number. */
export const onceInBody = 1;
export const onceInHead = maxFrequency + 1;

/** Counts one more occurrence in the text, or in headings and path. */
export function countOnce(often: number, where: typeof onceInBody | typeof onceInHead): number {
  const before = where === onceInBody ? often % onceInHead : Math.floor(often / onceInHead);
  return before < maxFrequency ? often + where : often;
}

/** One posting as a number: a group of chunks has half a million, and an object for each would be slow. */
export function packPosting(key: number, tokenCount: number, often: number): number {
  return (key % blockSize) + Math.min(tokenCount, 0xffff) * 0x10000 + often * 2 ** 32;
}

export function encodePostings(packed: readonly number[]): Buffer {
  const entries = Buffer.allocUnsafe(packed.length * entryBytes);
  for (let index = 0; index < packed.length; index++) {
    entries.writeUIntLE(packed[index]!, index * entryBytes, entryBytes);
  }
  return entries;
}

/** Visits all postings of a block without allocating an object for each. */
export function visitPostings(
  block: number,
  entries: Buffer,
  visit: (key: number, tokenCount: number, body: number, head: number) => void,
): void {
  const first = block * blockSize;
  for (let at = 0; at + entryBytes <= entries.length; at += entryBytes) {
    visit(
      first + (entries[at]! | (entries[at + 1]! << 8)),
      entries[at + 2]! | (entries[at + 3]! << 8),
      entries[at + 4]!,
      entries[at + 5]!,
    );
  }
}

/** The postings of a block without those of some chunks. */
export function withoutKeys(block: number, entries: Buffer, gone: ReadonlySet<number>): Buffer {
  const kept: Buffer[] = [];
  for (let at = 0; at + entryBytes <= entries.length; at += entryBytes) {
    const key = block * blockSize + entries.readUInt16LE(at);
    if (!gone.has(key)) kept.push(entries.subarray(at, at + entryBytes));
  }
  return Buffer.concat(kept);
}

export function countPostings(entries: Buffer): number {
  return Math.floor(entries.length / entryBytes);
}

export interface TokenCounts {
  /** The term frequencies of each token in the text, and in headings and path. */
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

/** As in SQLite, NUL is not part of a token, and ASCII letters are compared without case. */
function splitTokens(text: string): string[] {
  const plain = text.includes("\0") ? text.replaceAll("\0", "") : text;
  return plain
    .toWellFormed()
    .split(" ")
    .filter((token) => token !== "")
    .map(foldToken);
}

/** A token of a query as it is stored; null for one with a space in it, which is in no chunk. */
export function toStoredToken(token: string): string | null {
  const [stored, ...others] = splitTokens(token);
  return stored === undefined || others.length > 0 ? null : stored;
}

/** An index entry holds at most 2,700 bytes. */
const maxChars = 600;

function foldToken(token: string): string {
  const folded = /[A-Z]/.test(token) ? token.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : token;
  return folded.length <= maxChars
    ? folded
    : `${folded.slice(0, maxChars / 2).toWellFormed()}${sha256(folded)}`;
}
