/** Looks for many texts at once. */
export interface NeedleSearch {
  /** Bytes of the longest needle. */
  readonly longest: number;
  /** Adds to `found` the index of every needle that begins before `end`; all of them stand whole in `bytes`. */
  find(bytes: Uint8Array, end: number, found: Set<number>): void;
}

/**
 * Looks at each byte once, however many needles there are and however much they are alike: they are sorted, those that
 * begin with the same three bytes are searched by halves, and each knows the longest other one that it begins with.
 * Needles have at least three bytes.
 */
export function createNeedleSearch(needles: readonly string[]): NeedleSearch {
  const texts = needles.map((needle, index) => ({ index, bytes: Buffer.from(needle) }));
  texts.sort((a, b) => Buffer.compare(a.bytes, b.bytes));
  const startOf = (bytes: Uint8Array, at: number) =>
    (bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]!;
  const begins = new Uint8Array(1 << 24);
  const ranges = new Map<number, { first: number; last: number }>();
  const shorter: number[] = [];
  let longest = 3;
  for (const [position, { bytes }] of texts.entries()) {
    longest = Math.max(longest, bytes.length);
    const start = startOf(bytes, 0);
    begins[start] = 1;
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
        if (begins[start] === 0) continue;
        const range = ranges.get(start)!;
        // The last needle that is not greater than what stands here: whichever stands here is that, or begins it.
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
