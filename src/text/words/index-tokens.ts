import { blankOrigins } from "../entry-line.ts";
import { createCodeUnits } from "./code-units.ts";
import { emojiEnd, emojiToken } from "./emoji.ts";
import { isClitic, isJoiner, isSigil, readSigil } from "./joiners.ts";
import { type AnalyzedWord, analyzeWord, maxWordLength } from "./word.ts";
import { plainWordEnd } from "./word-characters.ts";

/** Writes the tokens of texts in UTF-8, as `Analyzer.indexText` defines them. */
export type IndexTokens = (text: string) => Buffer;

/**
 * The tokens that `scan` of `analyze.ts` visits, all at once: a first index spends much of its time here, so this goes
 * from text to stored bytes without an object or string per word. The result is valid until the next call.
 */
export function createIndexTokens(): IndexTokens {
  const table = createTokenTable();
  const words: Output = { bytes: Buffer.allocUnsafeSlow(4096), length: 0 };
  const extras: Output = { bytes: Buffer.allocUnsafeSlow(4096), length: 0 };
  const unitsOf = createCodeUnits();

  return (written) => {
    clearIfLarge(table);
    words.length = 0;
    extras.length = 0;
    const text = blankOrigins(written);
    const units = unitsOf(text);
    let lastEnd = -1;
    /** The last part of the previous word, as found. */
    let part: Uint8Array = table.bytes;
    let [partAt, partLength] = [0, 0];
    const { length } = text;
    for (let start = 0; start < length; ) {
      const end = plainWordEnd(text, units, start);
      if (end === start) {
        const after = units[start]! < 0x80 ? start : emojiEnd(text, start);
        if (after > start) write(extras, `${emojiToken(text, start)} `);
        start = Math.max(after, start + 1);
        continue;
      }
      const before = start === 0 ? 0x20 : units[start - 1]!;
      // Quicker than what it saves for most words.
      const isAdjacent = before !== 0x20 && lastEnd !== -1 && start - lastEnd <= 2;
      if (isAdjacent && isClitic(text, lastEnd, start, end)) {
        lastEnd = end;
        start = end;
        continue;
      }
      const entry = findEntry(table, text, units, start, end);
      const { bytes, lengths } = table;
      const fields = entry >> 2;
      const wordsAt = entry + headerBytes + 2 * lengths[fields]!;
      const extrasAt = wordsAt + lengths[fields + 1]!;
      const firstAt = extrasAt + lengths[fields + 2]!;
      const lastAt = firstAt + lengths[fields + 3]!;
      copy(words, bytes, wordsAt, extrasAt);
      if (firstAt > extrasAt) copy(extras, bytes, extrasAt, firstAt);
      if (isAdjacent && partLength > 0 && lastAt > firstAt && isJoiner(text, lastEnd, start)) {
        copy(extras, part, partAt, partAt + partLength);
        write(extras, ".");
        copy(extras, bytes, firstAt, lastAt);
        write(extras, " ");
      } else if (isSigil(before)) {
        const sigil = readSigil(text, start);
        if (sigil !== null) write(extras, `${sigil.token} `);
      }
      part = bytes;
      partAt = lastAt;
      partLength = lengths[fields + 4]!;
      lastEnd = end;
      start = end;
    }
    if (extras.length > 0) {
      if (words.length === 0) write(words, " ");
      append(words, extras);
    }
    // Without the space after the last one.
    return words.bytes.subarray(0, Math.max(0, words.length - 1));
  };
}

/** Bytes that grow. */
interface Output {
  bytes: Buffer;
  length: number;
}

function reserve(output: Output, sizeBytes: number): void {
  const { bytes, length } = output;
  if (length + sizeBytes <= bytes.length) return;
  output.bytes = Buffer.allocUnsafeSlow(Math.max(bytes.length * 2, length + sizeBytes));
  bytes.copy(output.bytes);
}

/** For a few bytes, where a call of `set` costs more than a loop. */
function copy(output: Output, from: Uint8Array, start: number, end: number): void {
  reserve(output, end - start);
  const { bytes } = output;
  let { length } = output;
  for (let at = start; at < end; at++) bytes[length++] = from[at]!;
  output.length = length;
}

function append(output: Output, { bytes, length }: Output): void {
  reserve(output, length);
  bytes.copy(output.bytes, output.length, 0, length);
  output.length += length;
}

function write(output: Output, text: string): void {
  reserve(output, 3 * text.length);
  output.length += output.bytes.write(text, output.length);
}

/**
 * Cache of analyzed words as index bytes: texts repeat their words, and folding and stemming is most of the cost. A map
 * from strings to objects would mostly wait for memory, so one array holds everything about a word in one place, and
 * another leads to it.
 *
 * The array consists of entries: five lengths (of the written word in code units; of its words, extras, first and last
 * part in bytes), the word itself, and then the others in UTF-8, with a space after each word and extra. See
 * `AnalyzedWord`.
 */
interface TokenTable {
  /** Pairs: the hash of a word and the position of its entry, which is never 0. */
  slots: Int32Array;
  /** The array. */
  bytes: Buffer;
  units: Uint16Array;
  lengths: Int32Array;
  count: number;
  /** Where the next entry will be. */
  end: number;
}

/** The cache is cleared beyond this. */
const maxEntries = 100_000;
const slotCount = 2 ** 18;
const maxBytes = 32 * 1024 * 1024;
const headerBytes = 20;

function createTokenTable(): TokenTable {
  return { slots: new Int32Array(0), ...toColumns(new ArrayBuffer(0)), count: 0, end: headerBytes };
}

function toColumns(buffer: ArrayBuffer): Pick<TokenTable, "bytes" | "units" | "lengths"> {
  return { bytes: Buffer.from(buffer), units: new Uint16Array(buffer), lengths: new Int32Array(buffer) };
}

/** Called between texts: entries do not survive it. */
function clearIfLarge(table: TokenTable): void {
  if (table.count < maxEntries && table.end < maxBytes) return;
  table.slots.fill(0);
  Object.assign(table, toColumns(new ArrayBuffer(0)), { count: 0, end: headerBytes });
}

/**
 * Where the entry of the word at `start..end` begins; created if necessary, which may move the array. `others` are the
 * code units of the text.
 */
function findEntry(table: TokenTable, text: string, others: Uint16Array, start: number, end: number): number {
  if (table.slots.length === 0) table.slots = new Int32Array(2 * slotCount);
  const { slots, lengths, units } = table;
  const length = end - start;
  let hash = 0x811c9dc5 | 0;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ others[at]!, 0x01000193);
  hash ^= hash >>> 15;
  let slot = 2 * (hash & (slotCount - 1));
  for (; slots[slot + 1] !== 0; slot = (slot + 2) & (2 * slotCount - 1)) {
    if (slots[slot] !== hash) continue;
    const entry = slots[slot + 1]!;
    if (lengths[entry >> 2] !== length) continue;
    const at = (entry + headerBytes) >> 1;
    let same = 0;
    while (same < length && units[at + same] === others[start + same]) same++;
    if (same === length) return entry;
  }
  const raw = text.slice(start, end);
  const analyzed = analyzeWord(raw);
  // Runs and random strings hardly repeat. A slot must stay free, or the search for a new word would never end.
  if (analyzed.isRun || raw.length > maxWordLength || table.count >= 2 * maxEntries) {
    return addEntry(table, "", analyzed);
  }
  const entry = addEntry(table, raw, analyzed);
  slots[slot] = hash;
  slots[slot + 1] = entry;
  table.count++;
  return entry;
}

function addEntry(table: TokenTable, raw: string, { words, extras, first, last }: AnalyzedWord): number {
  const texts = [joinTokens(words), joinTokens(extras), first, last];
  let most = headerBytes + 2 * raw.length + 4;
  for (const text of texts) most += 3 * text.length;
  grow(table, most);
  const { bytes, units, lengths, end: entry } = table;
  lengths[entry >> 2] = raw.length;
  for (let i = 0; i < raw.length; i++) units[((entry + headerBytes) >> 1) + i] = raw.charCodeAt(i);
  let at = entry + headerBytes + 2 * raw.length;
  for (let i = 0; i < texts.length; i++) {
    const length = bytes.write(texts[i]!, at);
    lengths[(entry >> 2) + 1 + i] = length;
    at += length;
  }
  table.end = 4 * Math.ceil(at / 4);
  return entry;
}

function grow(table: TokenTable, sizeBytes: number): void {
  const { bytes, end } = table;
  if (end + sizeBytes <= bytes.length) return;
  const size = Math.max(64 * 1024, bytes.length * 2, 4 * Math.ceil((end + sizeBytes) / 4));
  Object.assign(table, toColumns(new ArrayBuffer(size)));
  table.bytes.set(bytes);
}

function joinTokens(tokens: readonly string[]): string {
  return tokens.length === 0 ? "" : `${tokens.join(" ")} `;
}
