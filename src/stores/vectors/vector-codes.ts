import { LonghandError } from "../../errors.ts";

/**
 * The quantization of vectors for search: a few bytes each, from which the cosine to a query is computed. The query is
 * coded at much higher precision, so only one side contributes to the error.
 *
 * A text is stored as the number of its vectors, in four bytes, followed by their codes. Texts in this format can be
 * joined, as `vector-scan.ts` expects. All numbers are little-endian.
 */
export interface VectorCoding {
  /** Bytes of one vector. */
  readonly widthOf: (dimensions: number) => number;
  /** Writes a vector. Only its direction matters, not its length. */
  readonly encode: (vector: Float32Array, codes: DataView, at: number, centre: Centre) => void;
  /** Bytes of a query. */
  readonly queryBytesOf: (dimensions: number) => number;
  /** The query in the kernel's format. Only its direction matters. */
  readonly prepareQuery: (query: Float32Array, centre: Centre) => Uint8Array;
}

export type CodingName = "bits" | "bytes" | "centred";

/** How many digits a query has for four signs. */
export const signDigits = { bits: 3, centred: 1 } as const;

/** The centre of all vectors for `centred` codes, see `findCentre`; null for all others. */
export type Centre = Float32Array | null;

/**
 * - `bits`: the sign of each number, 32 bytes for 256 dimensions. A rough estimate, but good enough for a text that is
 *   covered by many windows: in hybrid search it finds as well as the floats do.
 * - `bytes`: each number in a byte and one factor for all, within about .001 of the cosine.
 * - `centred`: the sign of each number relative to the centre of all vectors. The vectors of a model lean to one side,
 *   and what they have in common does not discriminate. A factor per vector makes the estimate exact for the vector
 *   itself. Good enough to find candidates for exact comparison.
 */
export const vectorCodings: Readonly<Record<CodingName, VectorCoding>> = {
  bits: {
    widthOf: (dimensions) => 8 * Math.ceil(dimensions / 64),
    encode: encodeSigns,
    queryBytesOf: (dimensions) =>
      queryHeadBytes + signDigits.bits * 32 * vectorCodings.bits.widthOf(dimensions),
    // The numbers of a unit vector have similar magnitude: on average √(2/π) / √dimensions. So the sum of the query's
    // numbers, each with the sign of the vector's, is the cosine up to that factor.
    prepareQuery: (query) =>
      tabulateSigns(query, {
        digits: signDigits.bits,
        factor: Math.sqrt(Math.PI / 2 / query.length),
        addend: 0,
      }),
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
    queryBytesOf: (dimensions) =>
      queryHeadBytes + signDigits.centred * 32 * vectorCodings.bits.widthOf(dimensions),
    prepareQuery: (query, centre) =>
      tabulateSigns(query, {
        ...{ digits: signDigits.centred, factor: 1 },
        addend: dot(query, centre!) / lengthOf(query),
      }),
  },
};

/** The centre of unit vectors; a sample of a few thousand is enough. */
export function findCentre(vectors: readonly Float32Array[], dimensions: number): Float32Array {
  const centre = new Float32Array(dimensions);
  for (const vector of vectors) {
    for (let i = 0; i < dimensions; i++) centre[i]! += vector[i]! / vectors.length;
  }
  return centre;
}

/** Encodes the vectors of one text. */
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

/** Where the first `count` of joined texts end; past their end if they are truncated. */
export function findTextsEnd(texts: Uint8Array, count: number, width: number): number {
  const view = new DataView(texts.buffer, texts.byteOffset, texts.byteLength);
  let end = 0;
  for (let text = 0; text < count; text++) {
    if (end + countBytes > view.byteLength) return Number.POSITIVE_INFINITY;
    end += countBytes + view.getUint32(end, true) * width;
  }
  return end;
}

/** What is wrong with a vector, as the end of a sentence that begins with its name; null if it is valid. */
export function findVectorFault(vector: Float32Array, dimensions: number): string | null {
  if (vector.length !== dimensions) {
    const counts = `has ${vector.length} numbers instead of ${dimensions}`;
    return `${counts}; if the model was replaced under its name, delete the index and it is built again`;
  }
  // Ignoring the sign, floats compare like their bits as integers, with infinities and NaN above all.
  const bits = bitsOf(vector);
  let largest = 0;
  for (let i = 0; i < dimensions; i++) largest = Math.max(largest, bits[i]! & 0x7fffffff);
  if (largest >= 0x7f800000) return "holds something that is not a finite number";
  return largest === 0 ? "is zero" : null;
}

/** The cosine of two unit vectors, in double precision. */
export function cosineOfUnits(a: Float32Array, b: Float32Array): number {
  return Math.min(1, Math.max(-1, dot(a, b)));
}

/** The same direction with length 1; the vector must be valid, see `findVectorFault`. */
export function toUnit(vector: Float32Array): Float32Array {
  const length = lengthOf(vector);
  const unit = new Float32Array(vector.length);
  for (let i = 0; i < vector.length; i++) unit[i] = vector[i]! / length;
  return unit;
}

const countBytes = 4;
const factorBytes = 4;
/** The factor of a coded query, and padding that keeps what follows aligned. */
const queryHeadBytes = 16;

function encodeSigns(vector: Float32Array, codes: DataView, start: number): void {
  // The sign is the highest bit; comparing with 0 takes three times as long, because the branch is unpredictable.
  const bits = bitsOf(vector);
  for (let at = start, i = 0; i < bits.length; at++) {
    let code = 0;
    for (let bit = 0; bit < 8 && i < bits.length; bit++, i++) code |= (~bits[i]! >>> 31) << bit;
    codes.setUint8(at, code);
  }
}

/**
 * For the remainder d of a vector and its signs s, and any query q, q·s times the factor |d|² / (d·s) is close to q·d.
 */
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
 * A lookup table of sixteen integers for each four signs. One digit of six bits is enough if the best are compared
 * exactly: its error is far below that of the signs. Three digits of seven bits are as exact as floats. The tables are
 * preceded by the scale of the integers, the correction of their sum, the final addend, and the base of the digits.
 */
function tabulateSigns(
  query: Float32Array,
  { digits, factor, addend }: { digits: number; factor: number; addend: number },
): Uint8Array {
  const unit = factor / lengthOf(query);
  const tableCount = 2 * vectorCodings.bits.widthOf(query.length);
  const sizes = new Float64Array(tableCount);
  for (let i = 0; i < query.length; i++) sizes[i >> 2]! += Math.abs(query[i]!) * unit;
  // Four six-bit digits fit into a byte, and all those of a vector into sixteen bits.
  const base = 1 + Math.min(digits === 1 ? 63 : 127, Math.floor(65_535 / tableCount));
  const scale = (2 * Math.max(...sizes)) / (base ** digits - 1);
  const coded = new Uint8Array(queryHeadBytes + 16 * digits * tableCount);
  for (let table = 0; table < tableCount; table++) {
    const [a = 0, b = 0, c = 0, d = 0] = query.subarray(4 * table, 4 * table + 4);
    // The tables of a byte's lower four signs precede those of its upper four, digit by digit.
    const start = queryHeadBytes + 32 * digits * (table >> 1) + 16 * (table & 1);
    for (let signs = 0; signs < 16; signs++) {
      const lower = (signs & 1 ? a : -a) + (signs & 2 ? b : -b);
      const upper = (signs & 4 ? c : -c) + (signs & 8 ? d : -d);
      let rest = Math.round((sizes[table]! + (lower + upper) * unit) / scale);
      for (let digit = 0; digit < digits; digit++) {
        coded[start + 32 * digit + signs] = rest % base;
        rest = Math.floor(rest / base);
      }
    }
  }
  const lift = -sizes.reduce((sum, size) => sum + size, 0);
  new Float32Array(coded.buffer, 0, 4).set([scale, lift, addend, base]);
  return coded;
}

function encodeBytes(vector: Float32Array, codes: DataView, at: number): void {
  const largest = largestOf(vector);
  codes.setFloat32(at, largest / 127 / lengthOf(vector), true);
  const numbers = new Int8Array(codes.buffer, codes.byteOffset + at + factorBytes, vector.length);
  // Rounded; `Math.round` takes several times as long.
  for (let i = 0; i < vector.length; i++) numbers[i] = Math.floor((vector[i]! / largest) * 127 + 0.5);
}

/** As 16-bit integers, scaled so that neither one of them nor the sum of all products overflows. */
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

function bitsOf(vector: Float32Array): Int32Array {
  return new Int32Array(vector.buffer, vector.byteOffset, vector.length);
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

/** In double precision, so that squares of the smallest numbers do not underflow. */
function lengthOf(vector: Float32Array): number {
  let squares = 0;
  for (let i = 0; i < vector.length; i++) squares += vector[i]! * vector[i]!;
  return Math.sqrt(squares);
}

/** Throws if a query cannot be compared with vectors of these dimensions. */
export function refuseFaultyQuery(query: Float32Array, dimensions: number): void {
  const fault = findVectorFault(query, dimensions);
  if (fault === null) return;
  throw new LonghandError("vectors-invalid", `The vector to search with ${fault}.`, {
    hint: "Embed the question with the embedder whose vectors are searched.",
  });
}

/** Throws if the vectors of a text must not be stored: one of them would break every search. */
export function refuseFaultyVectors(
  vectors: readonly Float32Array[],
  {
    dims,
    embedderId,
    vectorsPerText,
  }: { dims: number; embedderId: string; vectorsPerText: "one" | "several" },
): void {
  for (const vector of vectors) {
    const fault = dims === 0 ? "has no numbers" : findVectorFault(vector, dims);
    if (fault !== null) throw invalid(embedderId, `one of them ${fault}`);
  }
  if (vectorsPerText === "one" && vectors.length > 1) {
    throw invalid(embedderId, `a text has ${vectors.length} instead of one`);
  }
}

function invalid(embedderId: string, why: string): LonghandError {
  return new LonghandError("vectors-invalid", `Could not keep vectors of ${embedderId}: ${why}.`, {
    hint: "Check that the configured model is an embedding model and that its dimensions fit; then sync again.",
  });
}
