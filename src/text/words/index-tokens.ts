import { blankOrigins } from "../entry-line.ts";
import { emojiEnd, emojiToken } from "./emoji.ts";
import { isApostrophe, isClitic, isJoiner, isSigil, readSigil } from "./glue.ts";
import { createTokenTable } from "./token-table.ts";
import { wordEnd } from "./word-characters.ts";

/** Writes the tokens of texts, as `Analyser.indexText` promises them, in UTF-8. */
export type IndexTokens = (text: string) => Buffer;

/**
 * The tokens that `scan` of `analyse.ts` visits, for the one who wants them all: a first index spends much of its time
 * here, and goes from the text to the bytes that are stored without an object or a string for each word. What is given
 * is valid until the next call.
 */
export function createIndexTokens(): IndexTokens {
  const table = createTokenTable();
  const words = createOutput();
  const extras = createOutput();

  return (written) => {
    table.tidy();
    words.clear();
    extras.clear();
    const text = blankOrigins(written);
    let lastEnd = -1;
    /** The last part of the word before, as it stood when it was found. */
    let part = table.bytes();
    let [partAt, partLength] = [0, 0];
    for (let start = 0; start < text.length; ) {
      const end = wordEnd(text, start);
      if (end === start) {
        const after = emojiEnd(text, start);
        if (after > start) extras.write(`${emojiToken(text, start)} `);
        start = Math.max(after, start + 1);
        continue;
      }
      const isGlued = lastEnd !== -1 && start - lastEnd <= 2 && text.charCodeAt(start - 1) !== 0x20;
      if (isGlued && isApostrophe(text, lastEnd, start) && isClitic(text, start, end)) {
        lastEnd = end;
        start = end;
        continue;
      }
      const entry = table.find(text, start, end);
      const bytes = table.bytes();
      const wordsAt = table.wordsAt(entry);
      const extrasAt = wordsAt + table.wordsLength(entry);
      const firstAt = extrasAt + table.extrasLength(entry);
      const lastAt = firstAt + table.firstLength(entry);
      words.copy(bytes, wordsAt, extrasAt);
      extras.copy(bytes, extrasAt, firstAt);
      if (isGlued && partLength > 0 && lastAt > firstAt && isJoiner(text, lastEnd, start)) {
        extras.copy(part, partAt, partAt + partLength);
        extras.write(".");
        extras.copy(bytes, firstAt, lastAt);
        extras.write(" ");
      } else if (start > 0 && isSigil(text.charCodeAt(start - 1))) {
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
      words.copy(extras.bytes(), 0, extras.length());
    }
    // Without the blank behind the last.
    return words.bytes().subarray(0, Math.max(0, words.length() - 1));
  };
}

interface Output {
  bytes(): Buffer;
  length(): number;
  copy(from: Uint8Array, start: number, end: number): void;
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
    bytes: () => bytes,
    length: () => length,
    copy(from, start, end) {
      reserve(end - start);
      // Most are a few bytes long, for which a call costs more than a loop.
      if (end - start > 64) bytes.set(from.subarray(start, end), length);
      else for (let i = start; i < end; i++) bytes[length + i - start] = from[i]!;
      length += end - start;
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
