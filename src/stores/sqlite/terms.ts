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
const firstCapital = 0x41;
const lastCapital = 0x5a;

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
 * valid until the next call. A first index does this for every token, so there is no object or string per token.
 */
export function createTermWriter(): (body: Uint8Array, head: Uint8Array) => Uint8Array {
  let scratch = createScratch(4096);
  return (body, head) => {
    const sizeBytes = body.length + head.length + 2;
    if (sizeBytes > scratch.maxBytes) scratch = createScratch(2 * sizeBytes);
    const { bytes, slots } = scratch;
    slots.fill(0);
    bytes.set(body);
    bytes[body.length] = space;
    bytes.set(head, body.length + 1);
    bytes[sizeBytes - 1] = space;
    const inBody = countTokens(scratch, { start: 0, end: body.length + 1, tokenCount: 0, column: 0 });
    const inHead = { start: body.length + 1, end: sizeBytes, tokenCount: inBody, column: 1 } as const;
    return writeTerms(scratch, countTokens(scratch, inHead));
  };
}

/** Room for the tokens of a chunk. */
interface Scratch {
  readonly maxBytes: number;
  /** The tokens as they are stored. */
  readonly bytes: Uint8Array;
  /** A hash table of where the fields of a token end; at most half full, because a token has a byte and a space. */
  readonly slots: Int32Array;
  /** Per token: where it begins and ends, how often it is in text and head, and its hash. */
  readonly tokens: Int32Array;
  output: Uint8Array;
}

const fieldsPerToken = 5;

function createScratch(maxBytes: number): Scratch {
  const slotCount = 2 ** Math.ceil(Math.log2(maxBytes));
  return {
    maxBytes,
    bytes: new Uint8Array(maxBytes),
    slots: new Int32Array(slotCount),
    tokens: new Int32Array((slotCount / 2) * fieldsPerToken),
    output: new Uint8Array(4 * maxBytes),
  };
}

interface Column {
  /** Where its tokens are, each with a space after it. */
  readonly start: number;
  readonly end: number;
  /** How many tokens were found before. */
  readonly tokenCount: number;
  readonly column: 0 | 1;
}

/** Returns the number of distinct tokens so far. */
function countTokens({ bytes, slots, tokens }: Scratch, { start, end, tokenCount, column }: Column): number {
  const mask = slots.length - 1;
  let count = tokenCount;
  let first = start;
  let last = start;
  let hash = 0;
  for (let at = start; at < end; at++) {
    let byte = bytes[at]!;
    if (byte > lastCapital) {
      bytes[last++] = byte;
      hash = Math.imul(hash ^ byte, 0x01000193);
      continue;
    }
    if (byte !== space) {
      if (byte <= countMarkByte) continue;
      if (byte >= firstCapital) byte |= 0x20;
      bytes[last++] = byte;
      hash = Math.imul(hash ^ byte, 0x01000193);
      continue;
    }
    const length = last - first;
    if (length > 0) {
      let slot = (hash ^ (hash >>> 15)) & mask;
      let token = slots[slot]! - fieldsPerToken;
      for (; token >= 0; slot = (slot + 1) & mask, token = slots[slot]! - fieldsPerToken) {
        if (tokens[token + 4] !== hash) continue;
        const from = tokens[token]!;
        if (tokens[token + 1]! - from !== length) continue;
        let same = 0;
        while (same < length && bytes[first + same] === bytes[from + same]) same++;
        if (same === length) break;
      }
      if (token < 0) {
        token = count++ * fieldsPerToken;
        slots[slot] = token + fieldsPerToken;
        tokens[token] = first;
        tokens[token + 1] = last;
        tokens[token + 2] = 0;
        tokens[token + 3] = 0;
        tokens[token + 4] = hash;
      }
      tokens[token + 2 + column]!++;
    }
    first = at + 1;
    last = first;
    hash = 0;
  }
  return count;
}

/** A term is longer than its token by the mark, two numbers and what is between and after them. */
const maxAddedBytes = 24;

function writeTerms(scratch: Scratch, tokenCount: number): Uint8Array {
  const { bytes, tokens } = scratch;
  let { output } = scratch;
  let length = 0;
  for (let field = 0; field < tokenCount * fieldsPerToken; field += fieldsPerToken) {
    const start = tokens[field]!;
    const end = tokens[field + 1]!;
    const body = tokens[field + 2]!;
    const head = tokens[field + 3]!;
    const most = (end - start + maxAddedBytes) * (body + head);
    if (length + most > output.length) {
      scratch.output = new Uint8Array(2 * (length + most));
      scratch.output.set(output);
      output = scratch.output;
    }
    const counts = body === 1 && head === 0 ? "" : `${countMark}${body}${head > 0 ? `,${head}` : ""}`;
    for (let times = body + head; times > 0; times--) {
      for (let at = start; at < end; at++) output[length++] = bytes[at]!;
      for (let at = 0; at < counts.length; at++) output[length++] = counts.charCodeAt(at);
      output[length++] = space;
    }
  }
  return output.subarray(0, length);
}
