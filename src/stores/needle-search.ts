import { normaliseEntryLine } from "../text/entry-line.ts";
import type { PurgeReport } from "./store.ts";

/** Searches for many strings at once. */
export interface NeedleSearch {
  /** Length of the longest needle in bytes. */
  readonly longest: number;
  /** Adds to `found` the index of every needle that begins before `end`; `bytes` contains all of them to their end. */
  find(bytes: Uint8Array, end: number, found: Set<number>): void;
}

/**
 * Reads each byte once, however many and however similar the needles are: they are sorted, those with the same first
 * three bytes are found by binary search, and each knows its longest proper prefix among the others. Needles have at
 * least three bytes.
 */
export function createNeedleSearch(needles: readonly string[]): NeedleSearch {
  const texts = needles.map((needle, index) => ({ index, bytes: Buffer.from(needle) }));
  texts.sort((a, b) => Buffer.compare(a.bytes, b.bytes));
  const startOf = (bytes: Uint8Array, at: number) =>
    (bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]!;
  // One bit per three-byte prefix: two megabytes stay in the processor's cache, sixteen would not.
  const begins = new Uint8Array(1 << 21);
  const ranges = new Map<number, { first: number; last: number }>();
  const shorter: number[] = [];
  let longest = 3;
  for (const [position, { bytes }] of texts.entries()) {
    longest = Math.max(longest, bytes.length);
    const start = startOf(bytes, 0);
    begins[start >> 3]! |= 1 << (start & 7);
    const range = ranges.get(start);
    if (range) range.last = position;
    else ranges.set(start, { first: position, last: position });
    let before = position - 1;
    while (before >= 0 && !isPrefix(texts[before]!.bytes, bytes, 0)) before = shorter[before]!;
    shorter.push(before);
  }

  function isPrefix(needle: Buffer, bytes: Uint8Array, at: number): boolean {
    return at + needle.length <= bytes.length && compareAt(needle, bytes, at) === 0;
  }

  function compareAt(needle: Buffer, bytes: Uint8Array, at: number): number {
    return needle.compare(bytes, at, Math.min(at + needle.length, bytes.length));
  }

  return {
    longest,
    find(bytes, end, found) {
      const last = Math.min(end, bytes.length - 2);
      for (let at = 0; at < last; at++) {
        const start = startOf(bytes, at);
        if ((begins[start >> 3]! & (1 << (start & 7))) === 0) continue;
        const range = ranges.get(start)!;
        // The last needle that is not greater than the bytes here: a match is that one, or a prefix of it.
        let low = range.first - 1;
        for (let high = range.last; low < high; ) {
          const middle = Math.ceil((low + high) / 2);
          if (compareAt(texts[middle]!.bytes, bytes, at) <= 0) low = middle;
          else high = middle - 1;
        }
        if (low < range.first) continue;
        let position = low;
        while (position >= 0 && !isPrefix(texts[position]!.bytes, bytes, at)) position = shorter[position]!;
        for (; position >= 0; position = shorter[position]!) {
          if (found.has(texts[position]!.index)) break;
          found.add(texts[position]!.index);
        }
      }
    },
  };
}

export interface SearchedChunk {
  readonly path: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly text: string;
}

/** A shorter line may occur elsewhere by chance. */
const minLineChars = 12;
const maxNamedLines = 100;

/** Finds lines in chunks that contain a line of the texts, also within a longer sentence or after a speaker's name. */
export function createLineSearch(texts: readonly string[]) {
  const lines = texts.flatMap((text) => text.split("\n").map(normaliseEntryLine));
  const wanted = [...new Set(lines)].filter((line) => line.length >= minLineChars);
  const found = new Map<string, { path: string; line: number }>();
  const { find } = createNeedleSearch(wanted);
  const holdsAny = (text: string): boolean => {
    const hits = new Set<number>();
    const bytes = Buffer.from(text);
    find(bytes, bytes.length, hits);
    return hits.size > 0;
  };
  return {
    isPointless: wanted.length === 0,
    /** False once enough were found. */
    visit: ({ path, text, start_line, end_line }: SearchedChunk): boolean => {
      const own = text.split("\n").map(normaliseEntryLine);
      // Most chunks contain none of them, which one test shows.
      if (!holdsAny(own.join("\n"))) return true;
      for (const [index, line] of own.entries()) {
        if (!holdsAny(line)) continue;
        const at = Math.min(start_line + index, end_line);
        found.set(`${path}:${at}`, { path, line: at });
      }
      return found.size < maxNamedLines;
    },
    found: (): PurgeReport["stillIn"] => [...found.values()].slice(0, maxNamedLines),
  };
}
