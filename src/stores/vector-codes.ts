/**
 * How vectors are kept for search: a few bytes each, from which the cosine to a question is worked out. The question is
 * coded much more finely, so the error is that of one side only.
 *
 * A text is kept as the number of its vectors, in four bytes, and their codes one after the other. Texts kept so can be
 * joined, and `vector-scan.ts` takes them so. All numbers are little-endian.
 */
export interface VectorCoding {
  /** Bytes of one vector. */
  readonly widthOf: (dimensions: number) => number;
  /** Writes a vector. Its length does not matter, only its direction. */
  readonly encode: (vector: Float32Array, codes: DataView, at: number, centre: Centre) => void;
  /** Bytes of a question. */
  readonly queryBytesOf: (dimensions: number) => number;
  /** The question as the kernel wants it. Its length does not matter either. */
  readonly prepareQuery: (query: Float32Array, centre: Centre) => Uint8Array;
}

export type CodingName = "bits" | "bytes" | "centred";

/** The middle of all vectors for `centred` codes, see `findCentre`; null for all others. */
export type Centre = Float32Array | null;

/**
 * `bits`: the sign of each number, 32 bytes for 256. A rough estimate, but a text that is covered by many windows
 * needs no better one: blended with words it finds as well as the whole numbers do.
 * `bytes`: each number in a byte and one factor for all, within about .001 of the cosine.
 * `centred`: the sign of what each number has more than the middle of all vectors. The vectors of a model lean to one
 * side, and what they have in common tells nothing apart. A factor for each vector makes the estimate right for the
 * vector itself. Good enough to find those that are then compared exactly.
 */
export const vectorCodings: Readonly<Record<CodingName, VectorCoding>> = {
  bits: {
    widthOf: (dimensions) => 8 * Math.ceil(dimensions / 64),
    encode: encodeSigns,
    queryBytesOf: (dimensions) => 4 * 256 * vectorCodings.bits.widthOf(dimensions),
    prepareQuery: (query) => toBytes(tabulateSigns(query, Math.sqrt(Math.PI / 2 / query.length))),
  },
  bytes: {
    widthOf: (dimensions) => factorBytes + 8 * Math.ceil(dimensions / 8),
    encode: encodeBytes,
    queryBytesOf: (dimensions) => queryHeadBytes + 16 * Math.ceil(dimensions / 8),
    prepareQuery: codeQuery,
  },
  centred: {
    widthOf: (dimensions) => factorBytes + vectorCodings.bits.widthOf(dimensions),
    encode: (vector, codes, at, centre) => encodeCentred(vector, codes, at, centre!),
    queryBytesOf: (dimensions) => queryHeadBytes + 2 * 16 * vectorCodings.bits.widthOf(dimensions),
    prepareQuery: (query, centre) => codeCentredQuery(query, centre!),
  },
};

/** The middle of unit vectors; a sample of some thousand is enough. */
export function findCentre(vectors: readonly Float32Array[], dimensions: number): Float32Array {
  const centre = new Float32Array(dimensions);
  for (const vector of vectors) {
    for (let i = 0; i < dimensions; i++) centre[i]! += vector[i]! / vectors.length;
  }
  return centre;
}

/** How the vectors of one text are kept. */
export function encodeText(
  coding: CodingName,
  vectors: readonly Float32Array[],
  centre: Centre = null,
): Uint8Array {
  const { widthOf, encode } = vectorCodings[coding];
  const width = widthOf(vectors[0]?.length ?? 0);
  const codes = new DataView(new ArrayBuffer(countBytes + width * vectors.length));
  codes.setUint32(0, vectors.length, true);
  for (const [index, vector] of vectors.entries()) encode(vector, codes, countBytes + index * width, centre);
  return new Uint8Array(codes.buffer);
}

/** Where in joined texts the one ends that begins at `at`; past their end when they are cut short. */
export function findTextEnd(texts: DataView, at: number, width: number): number {
  if (at + countBytes > texts.byteLength) return Number.POSITIVE_INFINITY;
  return at + countBytes + texts.getUint32(at, true) * width;
}

/** What is wrong with a vector, as the end of a sentence that begins with its name; null for nothing. */
export function findVectorFault(vector: Float32Array, dimensions: number): string | null {
  if (vector.length !== dimensions) {
    const counts = `has ${vector.length} numbers instead of ${dimensions}`;
    return `${counts}; if the model was exchanged under its name, delete the index and it is made anew`;
  }
  // Without its sign, a number is the larger the larger its bits are as an integer; what is not finite is above all.
  const bits = bitsOf(vector);
  let largest = 0;
  for (let i = 0; i < dimensions; i++) largest = Math.max(largest, bits[i]! & 0x7fffffff);
  if (largest >= 0x7f800000) return "holds something that is not a finite number";
  return largest === 0 ? "is zero" : null;
}

/** The cosine of two vectors of unit length, worked out in double precision. */
export function cosineOfUnits(a: Float32Array, b: Float32Array): number {
  return Math.min(1, Math.max(-1, dot(a, b)));
}

/** The same direction with length 1; the vector must have one, see `findVectorFault`. */
export function toUnit(vector: Float32Array): Float32Array {
  const length = lengthOf(vector);
  const unit = new Float32Array(vector.length);
  for (let i = 0; i < vector.length; i++) unit[i] = vector[i]! / length;
  return unit;
}

/** Of the number that stands before the vectors of a text. */
export const countBytes = 4;
const factorBytes = 4;
/** The factor of a coded question, and room that keeps what follows aligned. */
const queryHeadBytes = 16;

function encodeSigns(vector: Float32Array, codes: DataView, start: number): void {
  // The sign is the highest bit; to compare with 0 takes three times as long, for no processor can guess the answer.
  const bits = bitsOf(vector);
  for (let at = start, i = 0; i < bits.length; at++) {
    let code = 0;
    for (let bit = 0; bit < 8 && i < bits.length; bit++, i++) code |= (~bits[i]! >>> 31) << bit;
    codes.setUint8(at, code);
  }
}

/** The rest d of a vector, and its signs s. For any question q, q·s times the factor |d|² / (d·s) is close to q·d. */
function encodeCentred(vector: Float32Array, codes: DataView, at: number, centre: Float32Array): void {
  const rest = vector.map((value, i) => value - centre[i]!);
  let [squares, sizes] = [0, 0];
  for (let i = 0; i < rest.length; i++) {
    squares += rest[i]! * rest[i]!;
    sizes += Math.abs(rest[i]!);
  }
  codes.setFloat32(at, sizes === 0 ? 0 : squares / sizes, true);
  encodeSigns(rest, codes, at + factorBytes);
}

/**
 * For each four signs a table of what they add, in sixteen integers of six bits: an error far below that of the signs
 * themselves. Four of these integers fit into a byte, and all of a vector into sixteen bits. Before the tables stand
 * the scale of the integers, what makes their sum the one of the numbers, and what the centre adds.
 */
function codeCentredQuery(query: Float32Array, centre: Float32Array): Uint8Array {
  const coded = new Uint8Array(vectorCodings.centred.queryBytesOf(query.length));
  const length = lengthOf(query);
  const tableCount = (coded.length - queryHeadBytes) / 16;
  const sizes = new Float64Array(tableCount);
  for (let i = 0; i < query.length; i++) sizes[i >> 2]! += Math.abs(query[i]!) / length;
  const highest = Math.min(63, Math.floor(65_535 / tableCount));
  const scale = (2 * Math.max(...sizes)) / highest;
  for (let table = 0; table < tableCount; table++) {
    for (let signs = 0; signs < 16; signs++) {
      let sum = sizes[table]!;
      for (let bit = 0; bit < 4; bit++) {
        const value = (query[4 * table + bit] ?? 0) / length;
        sum += (signs >> bit) & 1 ? value : -value;
      }
      coded[queryHeadBytes + 16 * table + signs] = Math.round(sum / scale);
    }
  }
  const head = new DataView(coded.buffer);
  head.setFloat32(0, scale, true);
  head.setFloat32(4, -sumOf(sizes), true);
  head.setFloat32(8, dot(query, centre) / length, true);
  return coded;
}

/**
 * The numbers of a unit vector are about as large as each other: on average √(2/π) / √dimensions. So the sum of the
 * question's numbers, each with the sign of the vector's, is the cosine up to that `scale`. A table holds what eight
 * signs at a time add to it.
 */
function tabulateSigns(query: Float32Array, scale: number): Float32Array {
  const factor = scale / lengthOf(query);
  const table = new Float32Array(vectorCodings.bits.queryBytesOf(query.length) / 4);
  for (let i = 0; i < query.length; i++) table[(i >> 3) << 8]! -= factor * query[i]!;
  for (let i = 0; i < query.length; i++) {
    const row = (i >> 3) << 8;
    const bit = 1 << (i & 7);
    const turned = 2 * factor * query[i]!;
    // A code of which this is the highest sign is one of those before, with that sign turned.
    for (let code = 0; code < bit; code++) table[row + bit + code] = table[row + code]! + turned;
  }
  return table;
}

function encodeBytes(vector: Float32Array, codes: DataView, at: number): void {
  const largest = largestOf(vector);
  codes.setFloat32(at, largest / 127 / lengthOf(vector), true);
  const numbers = new Int8Array(codes.buffer, codes.byteOffset + at + factorBytes, vector.length);
  // Rounded; `Math.round` takes several times as long.
  for (let i = 0; i < vector.length; i++) numbers[i] = Math.floor((vector[i]! / largest) * 127 + 0.5);
}

/** As sixteen-bit integers, so large that neither one of them nor the sum of all products can overflow. */
function codeQuery(query: Float32Array): Uint8Array {
  const length = lengthOf(query);
  const scale = Math.min(2 ** 30 / 127 / Math.sqrt(query.length), (32_767 * length) / largestOf(query));
  const coded = new DataView(new ArrayBuffer(vectorCodings.bytes.queryBytesOf(query.length)));
  coded.setFloat32(0, 1 / scale, true);
  for (let i = 0; i < query.length; i++) {
    coded.setInt16(queryHeadBytes + 2 * i, Math.round((query[i]! / length) * scale), true);
  }
  return new Uint8Array(coded.buffer);
}

function toBytes(numbers: Float32Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

function bitsOf(vector: Float32Array): Int32Array {
  return new Int32Array(vector.buffer, vector.byteOffset, vector.length);
}

function sumOf(numbers: Float64Array): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}

function largestOf(vector: Float32Array): number {
  let largest = 0;
  for (let i = 0; i < vector.length; i++) largest = Math.max(largest, Math.abs(vector[i]!));
  return largest;
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

/** In double precision, where not even the squares of the smallest numbers vanish. */
function lengthOf(vector: Float32Array): number {
  let squares = 0;
  for (let i = 0; i < vector.length; i++) squares += vector[i]! * vector[i]!;
  return Math.sqrt(squares);
}
