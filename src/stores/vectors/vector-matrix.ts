import { type Centre, type CodingName, findTextsEnd, vectorCodings } from "./vector-codes.ts";
import { createVectorScan } from "./vector-scan.ts";

/** Chunks with their coded vectors. */
export interface VectorRows {
  /** Ascending. */
  readonly keys: readonly number[];
  /** As many as keys, joined. */
  readonly texts: Uint8Array;
}

/** The vectors of one embedder in memory. A chunk keeps its position; that of a deleted chunk stays empty. */
export interface VectorMatrix {
  readonly dimensions: number;
  readonly keys: readonly number[];
  /** How many positions belong to deleted chunks. */
  readonly goneCount: number;
  /** False if they cannot be appended, because keys must ascend. */
  append(rows: VectorRows): boolean;
  remove(key: number): void;
  /** −1 for an unknown or deleted key. */
  indexOf(key: number): number;
  /** For each position the similarity of the best vector, −Infinity if there is none. Valid until the next call. */
  score(query: Float32Array): Float32Array;
}

export function createVectorMatrix(coding: CodingName, dimensions: number, centre: Centre): VectorMatrix {
  const scan = createVectorScan(coding, dimensions, centre);
  const keys: number[] = [];
  const gone = new Set<number>();
  /** A search scores the same query twice: for the best chunks, and for those that keywords found. */
  let last: { readonly query: Float32Array; readonly best: Float32Array } | null = null;

  const indexOf = (key: number): number => {
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
      last = null;
      // Rows that are read again, because they came after the last complete part, are at the front.
      let known = 0;
      while (known < rows.keys.length && rows.keys[known]! <= (keys.at(-1) ?? 0)) {
        if (indexOf(rows.keys[known]!) === -1) return false;
        known++;
      }
      if (known === rows.keys.length) return true;
      const start =
        known === 0 ? 0 : findTextsEnd(rows.texts, known, vectorCodings[coding].widthOf(dimensions));
      scan.append(rows.texts.subarray(start), rows.keys.length - known);
      for (let index = known; index < rows.keys.length; index++) keys.push(rows.keys[index]!);
      return true;
    },
    remove: (key) => {
      const place = indexOf(key);
      if (place === -1) return;
      gone.add(place);
      last = null;
    },
    indexOf,
    score: (query) => {
      if (last?.query.every((value, index) => value === query[index])) return last.best;
      const best = scan.score(query);
      for (const place of gone) best[place] = Number.NEGATIVE_INFINITY;
      last = { query: query.slice(), best };
      return best;
    },
  };
}
