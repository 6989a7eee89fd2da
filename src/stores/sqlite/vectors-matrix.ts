import { type CodingName, vectorCodings } from "../vector-codes.ts";

/** Chunks with their codes, as they were read. */
export interface VectorRows {
  /** Ascending. */
  readonly keys: readonly number[];
  readonly sizesBytes: readonly number[];
  readonly codes: Uint8Array;
}

/** The vectors of one embedder in memory. A chunk keeps its place; that of one which has gone stays empty. */
export interface VectorMatrix {
  readonly dimensions: number;
  readonly keys: readonly number[];
  /** How many of the places belong to chunks that have gone. */
  readonly goneCount: number;
  /** False when they cannot come after those that are there: the keys ascend. */
  append(rows: VectorRows): boolean;
  remove(key: number): void;
  /** −1 for an unknown one and one that has gone. */
  placeOf(key: number): number;
  /** For each place the similarity of the best vector, −Infinity where there is none. Valid until the next call. */
  score(query: Float32Array): Float32Array;
}

interface Segment {
  readonly first: number;
  readonly ends: readonly number[];
  readonly codes: Uint8Array;
}

/** Rows stay in the pieces in which they were read: nothing is copied, and a few new ones are one small piece more. */
export function createVectorMatrix(coding: CodingName, dimensions: number): VectorMatrix {
  const { bytesPerVector, createScorer } = vectorCodings[coding];
  const width = bytesPerVector(dimensions);
  const keys: number[] = [];
  const segments: Segment[] = [];
  const gone = new Set<number>();
  /** A search asks twice for the same question: for the best chunks, and for those that words have found. */
  const last = { query: new Float32Array(0), best: new Float32Array(0), isCurrent: false };

  const placeOf = (key: number): number => {
    let [low, high] = [0, keys.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (keys[middle]! < key) low = middle + 1;
      else high = middle;
    }
    return keys[low] === key && !gone.has(low) ? low : -1;
  };

  return {
    dimensions,
    keys,
    get goneCount() {
      return gone.size;
    },
    append: (rows) => {
      last.isCurrent = false;
      // What is read again, because it came after the last complete part, stands at the front.
      let known = 0;
      let skippedBytes = 0;
      while (known < rows.keys.length && rows.keys[known]! <= (keys.at(-1) ?? 0)) {
        if (placeOf(rows.keys[known]!) === -1) return false;
        skippedBytes += rows.sizesBytes[known]!;
        known++;
      }
      if (known === rows.keys.length) return true;
      let end = 0;
      const ends = rows.sizesBytes.slice(known).map((sizeBytes) => (end += sizeBytes / width));
      segments.push({ first: keys.length, ends, codes: rows.codes.subarray(skippedBytes) });
      for (let index = known; index < rows.keys.length; index++) keys.push(rows.keys[index]!);
      return true;
    },
    remove: (key) => {
      const place = placeOf(key);
      if (place === -1) return;
      gone.add(place);
      last.isCurrent = false;
    },
    placeOf,
    score: (query) => {
      if (last.isCurrent && query.every((value, index) => value === last.query[index])) return last.best;
      if (last.best.length !== keys.length) last.best = new Float32Array(keys.length);
      const score = createScorer(query);
      for (const { first, ends, codes } of segments) {
        score(codes, ends, last.best.subarray(first, first + ends.length));
      }
      for (const place of gone) last.best[place] = Number.NEGATIVE_INFINITY;
      last.query = query.slice();
      last.isCurrent = true;
      return last.best;
    },
  };
}
