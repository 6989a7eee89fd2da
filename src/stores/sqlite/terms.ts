/*
 * What chunks_fts holds of a chunk: a term per distinct token, which also says how often the token occurs. FTS5 can then
 * leave out positions (`detail=none`), which would be two thirds of its table, and BM25 is still exact.
 *
 * A token that occurs once in the text, and not in headings or path, is its own term. Otherwise a mark and the counts
 * follow: `deploy␁3` (three times in the text), `deploy␁3,1` (and once in the head), `deploy␁0,1` (only there). The
 * mark sorts before every other character, so the terms of a token follow each other in the index.
 */

/** In no token: the analyzer's consist of letters, digits, punctuation and emoji. */
export const countMark = "\x01";
export const countMarkByte = 1;
const space = 0x20;
const comma = 0x2c;

export interface TokenCounts {
  readonly body: number;
  readonly head: number;
}

/** The counts after a token in its term; null if this is no such term. */
export function readCounts(suffix: string): TokenCounts | null {
  if (suffix === "") return { body: 1, head: 0 };
  const [, body, head = "0"] = /^\x01(\d+)(?:,(\d+))?$/.exec(suffix) ?? [];
  return body === undefined ? null : { body: Number(body), head: Number(head) };
}

/** The token of a term. */
export function tokenOf(term: string): string {
  const end = term.indexOf(countMark);
  return end < 0 ? term : term.slice(0, end);
}

/** A token as it is stored: FTS5's tokenizer folds ASCII capitals, NUL would end the text, and the mark is ours. */
export function toStoredToken(token: string): string {
  return token.replaceAll(/[\0\x01]/g, "").replaceAll(/[A-Z]+/g, (capitals) => capitals.toLowerCase());
}

/**
 * From the tokens of text and head, joined by spaces in UTF-8, to the terms in the same form. Each term is written as
 * often as its token occurs: FTS5 stores it once, but counts all of them for the length of the chunk. The result is
 * valid until the next call.
 */
export function createTermWriter(): (body: Uint8Array, head: Uint8Array) => Uint8Array {
  /** The tokens, capitals folded. */
  let bytes = new Uint8Array(4096);
  let output = new Uint8Array(16 * 1024);
  /** A hash table of token numbers, from 1. */
  let slots = new Int32Array(1024);
  let starts = new Int32Array(slots.length / 2);
  let ends = new Int32Array(slots.length / 2);
  let bodyCounts = new Int32Array(slots.length / 2);
  let headCounts = new Int32Array(slots.length / 2);
  let tokenCount = 0;

  const reserve = (sizeBytes: number): void => {
    if (bytes.length < sizeBytes) bytes = new Uint8Array(2 * sizeBytes);
    // A token has at least one byte and a space after it.
    if (slots.length < sizeBytes) {
      let length = slots.length;
      while (length < sizeBytes) length *= 2;
      slots = new Int32Array(length);
      starts = new Int32Array(length / 2);
      ends = new Int32Array(length / 2);
      bodyCounts = new Int32Array(length / 2);
      headCounts = new Int32Array(length / 2);
    } else slots.fill(0);
    tokenCount = 0;
  };

  const find = (start: number, end: number, hash: number): number => {
    const mask = slots.length - 1;
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const token = slots[slot]! - 1;
      const from = starts[token]!;
      if (ends[token]! - from !== end - start) continue;
      let at = start;
      while (at < end && bytes[at] === bytes[from + at - start]) at++;
      if (at === end) return token;
    }
    slots[slot] = tokenCount + 1;
    starts[tokenCount] = start;
    ends[tokenCount] = end;
    bodyCounts[tokenCount] = 0;
    headCounts[tokenCount] = 0;
    return tokenCount++;
  };

  /** Returns where the copy of the tokens ends. */
  const count = (tokens: Uint8Array, from: number, counts: Int32Array): number => {
    let end = from;
    let start = from;
    let hash = 0x811c9dc5 | 0;
    for (let at = 0; at <= tokens.length; at++) {
      let byte = at < tokens.length ? tokens[at]! : space;
      if (byte === space) {
        if (end > start) counts[find(start, end, hash)]!++;
        bytes[end++] = space;
        start = end;
        hash = 0x811c9dc5 | 0;
        continue;
      }
      if (byte <= countMarkByte) continue;
      if (byte >= 0x41 && byte <= 0x5a) byte |= 0x20;
      bytes[end++] = byte;
      hash = Math.imul(hash ^ byte, 0x01000193);
    }
    return end;
  };

  let length = 0;
  const writeNumber = (number: number): void => {
    if (number > 9) writeNumber(Math.floor(number / 10));
    output[length++] = 0x30 + (number % 10);
  };
  const writeTerm = (token: number): void => {
    const body = bodyCounts[token]!;
    const head = headCounts[token]!;
    const start = starts[token]!;
    const most = (ends[token]! - start + 24) * (body + head);
    if (length + most > output.length) {
      const larger = new Uint8Array(2 * (length + most));
      larger.set(output);
      output = larger;
    }
    const from = length;
    for (let at = start; at < ends[token]!; at++) output[length++] = bytes[at]!;
    if (body !== 1 || head !== 0) {
      output[length++] = countMarkByte;
      writeNumber(body);
      if (head > 0) {
        output[length++] = comma;
        writeNumber(head);
      }
    }
    output[length++] = space;
    const term = length - from;
    for (let more = body + head - 1; more > 0; more--) {
      output.copyWithin(length, from, from + term);
      length += term;
    }
  };

  return (body, head) => {
    reserve(body.length + head.length + 2);
    const headAt = count(body, 0, bodyCounts);
    count(head, headAt, headCounts);
    length = 0;
    for (let token = 0; token < tokenCount; token++) writeTerm(token);
    return output.subarray(0, length);
  };
}
