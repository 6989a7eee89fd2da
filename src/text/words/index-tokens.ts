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
  const words = createOutput();
  const extras = createOutput();
  const unitsOf = createCodeUnits();

  return (written) => {
    table.tidy();
    words.clear();
    extras.clear();
    const text = blankOrigins(written);
    const units = unitsOf(text);
    let lastEnd = -1;
    /** The last part of the previous word, as found. */
    let part = table.bytes();
    let [partAt, partLength] = [0, 0];
    for (let start = 0; start < text.length; ) {
      const end = plainWordEnd(text, units, start);
      if (end === start) {
        const after = emojiEnd(text, start);
        if (after > start) extras.write(`${emojiToken(text, start)} `);
        start = Math.max(after, start + 1);
        continue;
      }
      // Quicker than what it saves for most words.
      const isAdjacent = lastEnd !== -1 && start - lastEnd <= 2 && text.charCodeAt(start - 1) !== 0x20;
      if (isAdjacent && isClitic(text, lastEnd, start, end)) {
        lastEnd = end;
        start = end;
        continue;
      }
      const entry = table.find(text, units, start, end);
      const bytes = table.bytes();
      const wordsAt = table.wordsAt(entry);
      const extrasAt = wordsAt + table.wordsLength(entry);
      const firstAt = extrasAt + table.extrasLength(entry);
      const lastAt = firstAt + table.firstLength(entry);
      words.copy(bytes, wordsAt, extrasAt);
      extras.copy(bytes, extrasAt, firstAt);
      if (isAdjacent && partLength > 0 && lastAt > firstAt && isJoiner(text, lastEnd, start)) {
        extras.copy(part, partAt, partAt + partLength);
        extras.write(".");
        extras.copy(bytes, firstAt, lastAt);
        extras.write(" ");
      } else if (isSigil(text.charCodeAt(start - 1))) {
        const sigil = readSigil(text, start);
        if (sigil !== null) extras.write(`${sigil.token} `);
      }
      part = bytes;
      partAt = lastAt;
      partLength = table.lastLength(entry);
      lastEnd = end;
      start = end;
    }
    if (extras.length() > 0) {
      if (words.length() === 0) words.write(" ");
      words.append(extras.written());
    }
    // Without the space after the last one.
    return words.written().subarray(0, -1);
  };
}

interface Output {
  written(): Buffer;
  length(): number;
  /** For a few bytes, where a call of `set` costs more than a loop. */
  copy(from: Uint8Array, start: number, end: number): void;
  append(from: Uint8Array): void;
  write(text: string): void;
  clear(): void;
}

function createOutput(): Output {
  let bytes = Buffer.allocUnsafeSlow(4096);
  let length = 0;
  const reserve = (sizeBytes: number): void => {
    if (length + sizeBytes <= bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(bytes.length * 2, length + sizeBytes));
    bytes.copy(larger);
    bytes = larger;
  };
  return {
    written: () => bytes.subarray(0, length),
    length: () => length,
    copy(from, start, end) {
      reserve(end - start);
      for (let i = start; i < end; i++) bytes[length + i - start] = from[i]!;
      length += end - start;
    },
    append(from) {
      reserve(from.length);
      bytes.set(from, length);
      length += from.length;
    },
    write(text) {
      reserve(3 * text.length);
      length += bytes.write(text, length);
    },
    clear() {
      length = 0;
    },
  };
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
  /** Where the entry of the word at `start..end` begins; created if necessary. `units` are those of the text. */
  find(text: string, units: Uint16Array, start: number, end: number): number;
  /** The array as bytes. Call again after `find`, which may have moved it. */
  bytes(): Uint8Array;
  /** Where the entry's words begin. */
  wordsAt(entry: number): number;
  /** Lengths in bytes, of parts that follow one another. */
  wordsLength(entry: number): number;
  extrasLength(entry: number): number;
  firstLength(entry: number): number;
  lastLength(entry: number): number;
  /** Clears the cache if it is too large. Call it between texts: entries do not survive it. */
  tidy(): void;
}

/** The cache is cleared beyond this. */
const maxEntries = 100_000;
const slotCount = 2 ** 18;
const maxBytes = 32 * 1024 * 1024;
const headerBytes = 20;

function createTokenTable(): TokenTable {
  /** Pairs: the hash of a word and the position of its entry, which is never 0. */
  let slots = new Int32Array(0);
  let units = new Uint16Array(0);
  let lengths = new Int32Array(0);
  let bytes: Buffer = Buffer.alloc(0);
  let count = 0;
  let end = headerBytes;

  const reserve = (sizeBytes: number): void => {
    if (end + sizeBytes <= bytes.length) return;
    const larger = new ArrayBuffer(
      Math.max(64 * 1024, bytes.length * 2, 4 * Math.ceil((end + sizeBytes) / 4)),
    );
    const copy = Buffer.from(larger);
    copy.set(bytes);
    bytes = copy;
    units = new Uint16Array(larger);
    lengths = new Int32Array(larger);
  };

  const add = (raw: string, { words, extras, first, last }: AnalyzedWord): number => {
    const texts = [joinTokens(words), joinTokens(extras), first, last];
    let most = headerBytes + 2 * raw.length + 4;
    for (const text of texts) most += 3 * text.length;
    reserve(most);
    const entry = end;
    lengths[entry / 4] = raw.length;
    for (let i = 0; i < raw.length; i++) units[(entry + headerBytes) / 2 + i] = raw.charCodeAt(i);
    let at = entry + headerBytes + 2 * raw.length;
    for (let i = 0; i < texts.length; i++) {
      const length = bytes.write(texts[i]!, at);
      lengths[entry / 4 + 1 + i] = length;
      at += length;
    }
    end = 4 * Math.ceil(at / 4);
    return entry;
  };

  const isWord = (entry: number, others: Uint16Array, start: number, length: number): boolean => {
    if (lengths[entry / 4] !== length) return false;
    const at = (entry + headerBytes) / 2;
    for (let i = 0; i < length; i++) if (units[at + i] !== others[start + i]) return false;
    return true;
  };

  return {
    find(text, others, start, wordEnd) {
      let hash = 0x811c9dc5 | 0;
      for (let i = start; i < wordEnd; i++) hash = Math.imul(hash ^ others[i]!, 0x01000193);
      hash ^= hash >>> 15;
      if (slots.length === 0) slots = new Int32Array(2 * slotCount);
      let slot = 2 * (hash & (slotCount - 1));
      for (; slots[slot + 1] !== 0; slot = (slot + 2) & (2 * slotCount - 1)) {
        if (slots[slot] === hash && isWord(slots[slot + 1]!, others, start, wordEnd - start)) {
          return slots[slot + 1]!;
        }
      }
      const raw = text.slice(start, wordEnd);
      const analyzed = analyzeWord(raw);
      // Runs and random strings hardly repeat. A slot must stay free, or the search for a new word would never end.
      if (analyzed.isRun || raw.length > maxWordLength || count >= 2 * maxEntries) return add("", analyzed);
      const entry = add(raw, analyzed);
      slots[slot] = hash;
      slots[slot + 1] = entry;
      count++;
      return entry;
    },
    bytes: () => bytes,
    wordsAt: (entry) => entry + headerBytes + 2 * lengths[entry / 4]!,
    wordsLength: (entry) => lengths[entry / 4 + 1]!,
    extrasLength: (entry) => lengths[entry / 4 + 2]!,
    firstLength: (entry) => lengths[entry / 4 + 3]!,
    lastLength: (entry) => lengths[entry / 4 + 4]!,
    tidy() {
      if (count < maxEntries && end < maxBytes) return;
      slots.fill(0);
      bytes = Buffer.alloc(0);
      count = 0;
      end = headerBytes;
    },
  };
}

function joinTokens(tokens: readonly string[]): string {
  return tokens.length === 0 ? "" : `${tokens.join(" ")} `;
}
