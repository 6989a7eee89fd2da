/**
 * How vectors are kept for search: a few bytes each, from which the cosine to a question is worked out. The question
 * itself is never coded, so the error is that of one side only.
 */
export interface VectorCoding {
  readonly bytesPerVector: (dimensions: number) => number;
  /** The vectors of one text, one after the other. Their length does not matter, only their direction. */
  readonly encode: (vectors: readonly Float32Array[]) => Uint8Array;
  readonly createScorer: (query: Float32Array) => Scorer;
}

/**
 * Writes the cosine of each text's best vector into `best`. Text `i` has the vectors from `ends[i - 1]` (0 for the
 * first) up to `ends[i]`; one that has none gets −Infinity.
 */
export type Scorer = (codes: Uint8Array, ends: readonly number[], best: Float32Array) => void;

export type CodingName = "bits" | "bytes";

/**
 * `bits`: the sign of each number, 32 bytes for 256. A rough estimate, but a text that is covered by many windows
 * needs no better one: blended with words it finds as well as the whole numbers do.
 * `bytes`: each number in a byte and one factor for all, within about .001 of the cosine.
 */
export const vectorCodings: Readonly<Record<CodingName, VectorCoding>> = {
  bits: { bytesPerVector: bitBytes, encode: encodeBits, createScorer: createBitScorer },
  bytes: {
    bytesPerVector: (dimensions) => factorBytes + dimensions,
    encode: encodeBytes,
    createScorer: createByteScorer,
  },
};

/** What is wrong with a vector, as the end of a sentence that begins with its name; null for nothing. */
export function findVectorFault(vector: Float32Array, dimensions: number): string | null {
  if (vector.length !== dimensions) return `has ${vector.length} numbers instead of ${dimensions}`;
  // Without its sign, a number is the larger the larger its bits are as an integer; what is not finite is above all.
  const bits = bitsOf(vector);
  let largest = 0;
  for (let i = 0; i < dimensions; i++) largest = Math.max(largest, bits[i]! & 0x7fffffff);
  if (largest >= 0x7f800000) return "holds something that is not a finite number";
  return largest === 0 ? "is zero" : null;
}

/** Whole groups of four, which the scorer takes at a time. */
function bitBytes(dimensions: number): number {
  return 4 * Math.ceil(dimensions / 32);
}

function encodeBits(vectors: readonly Float32Array[]): Uint8Array {
  const width = bitBytes(vectors[0]?.length ?? 0);
  const codes = new Uint8Array(width * vectors.length);
  for (const [index, vector] of vectors.entries()) {
    // The sign is the highest bit; to compare with 0 takes three times as long, for no processor can guess the answer.
    const bits = bitsOf(vector);
    for (let at = index * width, i = 0; i < bits.length; at++) {
      let code = 0;
      for (let bit = 0; bit < 8 && i < bits.length; bit++, i++) code |= (~bits[i]! >>> 31) << bit;
      codes[at] = code;
    }
  }
  return codes;
}

/**
 * The numbers of a unit vector are about as large as each other: on average √(2/π) / √dimensions. So the sum of the
 * question's numbers, each with the sign of the vector's, is the cosine up to that factor. Eight signs at a time are
 * looked up in a table; tables of doubles are the fastest here, although larger.
 */
function createBitScorer(query: Float32Array): Scorer {
  const width = bitBytes(query.length);
  const factor = Math.sqrt(Math.PI / 2 / query.length) / lengthOf(query);
  const table = new Float64Array(256 * width);
  for (let i = 0; i < query.length; i++) {
    const value = query[i]! * factor;
    const row = (i >> 3) << 8;
    const bit = 1 << (i & 7);
    for (let code = 0; code < 256; code++) table[row + code]! += (code & bit) === 0 ? -value : value;
  }
  return (codes, ends, best) => {
    let at = 0;
    for (let text = 0; text < ends.length; text++) {
      const end = ends[text]! * width;
      let highest = Number.NEGATIVE_INFINITY;
      while (at < end) {
        let first = 0;
        let second = 0;
        let third = 0;
        let fourth = 0;
        // Four sums that do not wait for each other.
        for (let row = 0; row < table.length; row += 1024, at += 4) {
          first += table[row + codes[at]!]!;
          second += table[row + 256 + codes[at + 1]!]!;
          third += table[row + 512 + codes[at + 2]!]!;
          fourth += table[row + 768 + codes[at + 3]!]!;
        }
        const sum = first + second + third + fourth;
        if (sum > highest) highest = sum;
      }
      best[text] = clamp(highest);
    }
  };
}

const factorBytes = 4;

function encodeBytes(vectors: readonly Float32Array[]): Uint8Array {
  const width = factorBytes + (vectors[0]?.length ?? 0);
  const codes = new Uint8Array(width * vectors.length);
  const view = new DataView(codes.buffer);
  for (const [index, vector] of vectors.entries()) {
    const at = index * width;
    const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    view.setFloat32(at, largest / 127 / lengthOf(vector), true);
    for (let i = 0; i < vector.length; i++) {
      view.setInt8(at + factorBytes + i, Math.round((vector[i]! / largest) * 127));
    }
  }
  return codes;
}

function createByteScorer(query: Float32Array): Scorer {
  const dimensions = query.length;
  const length = lengthOf(query);
  const unit = Float64Array.from(query, (value) => value / length);
  return (codes, ends, best) => {
    const view = new DataView(codes.buffer, codes.byteOffset, codes.byteLength);
    const numbers = new Int8Array(codes.buffer, codes.byteOffset, codes.byteLength);
    let at = 0;
    for (let text = 0; text < ends.length; text++) {
      const end = ends[text]! * (factorBytes + dimensions);
      let highest = Number.NEGATIVE_INFINITY;
      while (at < end) {
        const factor = view.getFloat32(at, true);
        at += factorBytes;
        let sum = 0;
        for (let i = 0; i < dimensions; i++) sum += unit[i]! * numbers[at + i]!;
        at += dimensions;
        if (sum * factor > highest) highest = sum * factor;
      }
      best[text] = clamp(highest);
    }
  };
}

function clamp(similarity: number): number {
  return similarity === Number.NEGATIVE_INFINITY ? similarity : Math.min(1, Math.max(-1, similarity));
}

function bitsOf(vector: Float32Array): Int32Array {
  return new Int32Array(vector.buffer, vector.byteOffset, vector.length);
}

/** In double precision, where not even the squares of the smallest numbers vanish. */
function lengthOf(vector: Float32Array): number {
  let squares = 0;
  for (let i = 0; i < vector.length; i++) squares += vector[i]! * vector[i]!;
  return Math.sqrt(squares);
}
