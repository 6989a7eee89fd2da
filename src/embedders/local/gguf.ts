/** The header of a GGUF file. */
export interface GgufHeader {
  /** Single values by key; lists (the vocabulary) are skipped. */
  readonly values: ReadonlyMap<string, string | number | boolean>;
  /** The length of the header. */
  readonly headerBytes: number;
  /** The minimum length of the file, if every table is complete. */
  readonly neededBytes: number;
}

/** Why bytes are not a GGUF file; the rest of a sentence that begins with "it". */
interface GgufFault {
  readonly fault: string;
}

/**
 * Reads the header from the beginning of a file, or says what is wrong with it. Null means that the header extends
 * beyond these bytes. Everything is checked, because native code may crash on a damaged file.
 */
export function parseGguf(bytes: Uint8Array): GgufHeader | GgufFault | null {
  try {
    return readHeader(createCursor(bytes));
  } catch (error) {
    if (error === cutShort) return null;
    if (error instanceof Malformed) return { fault: error.message };
    throw error;
  }
}

function readHeader(cursor: Cursor): GgufHeader {
  if (cursor.u32() !== magic) throw new Malformed("is not a GGUF file");
  const version = cursor.u32();
  // Bytes in the other order give a huge number here.
  if (version !== 2 && version !== 3)
    throw new Malformed(`has the GGUF version ${version}, which is not read`);
  const tensorCount = cursor.count("tables", 1_000_000);
  const valueCount = cursor.count("values", 100_000);
  const values = new Map<string, string | number | boolean>();
  for (let i = 0; i < valueCount; i++) {
    const key = cursor.text();
    const value = readValue(cursor, cursor.u32(), 0);
    if (value !== null) values.set(key, value);
  }
  let dataBytes = 0;
  for (let i = 0; i < tensorCount; i++) dataBytes = Math.max(dataBytes, readTensorEnd(cursor));
  const alignment = values.get("general.alignment") ?? 32;
  if (typeof alignment !== "number" || alignment < 1) throw new Malformed("has an invalid alignment");
  const headerBytes = cursor.position();
  return { values, headerBytes, neededBytes: Math.ceil(headerBytes / alignment) * alignment + dataBytes };
}

/** Where the numbers of one table end, counted from the first of all. */
function readTensorEnd(cursor: Cursor): number {
  cursor.text();
  const dimensionCount = cursor.u32();
  if (dimensionCount > 8) throw new Malformed(`has a table of ${dimensionCount} dimensions`);
  let count = 1;
  for (let i = 0; i < dimensionCount; i++) count *= cursor.u64();
  // The length of an unknown, newer type is unknown; then only the beginning is checked.
  const [blockLength, blockBytes] = blockSizes[cursor.u32()] ?? [1, 0];
  const end = cursor.u64() + (count / blockLength) * blockBytes;
  if (!Number.isSafeInteger(Math.ceil(end))) throw new Malformed("has a table of impossible size");
  return end;
}

function readValue(cursor: Cursor, type: number, depth: number): string | number | boolean | null {
  const scalar = scalars[type];
  if (scalar) return cursor.take(...scalar);
  if (type === textType) return cursor.text();
  if (type !== listType || depth > 3) throw new Malformed(`has a value of the unknown type ${type}`);
  const itemType = cursor.u32();
  const count = cursor.u64();
  const [width] = scalars[itemType] ?? [];
  if (width !== undefined) cursor.skip(count * width);
  else for (let i = 0; i < count; i++) skipValue(cursor, itemType, depth + 1);
  return null;
}

function skipValue(cursor: Cursor, type: number, depth: number): void {
  // A vocabulary has hundreds of thousands of texts, and none of them is needed here.
  if (type === textType) cursor.skip(cursor.u64());
  else readValue(cursor, type, depth);
}

interface Cursor {
  u32(): number;
  u64(): number;
  count(what: string, most: number): number;
  text(): string;
  skip(length: number): void;
  position(): number;
  /** Reads `width` bytes with the given method. */
  take<T>(width: number, read: Read<T>): T;
}

function createCursor(bytes: Uint8Array): Cursor {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const cursor: Cursor = {
    take(width, read) {
      if (at + width > bytes.length) throw cutShort;
      at += width;
      return read(view, at - width);
    },
    u32: () => cursor.take(4, u32),
    u64: () => cursor.take(8, u64),
    count(what, most) {
      const count = cursor.u64();
      if (count > most) throw new Malformed(`claims to have ${count} ${what}`);
      return count;
    },
    text() {
      const length = cursor.u64();
      return cursor.take(length, (_, start) => decoder.decode(bytes.subarray(start, start + length)));
    },
    skip: (length) => cursor.take(length, () => undefined),
    position: () => at,
  };
  return cursor;
}

class Malformed extends Error {}

const cutShort = Symbol("the header goes on");
const decoder = new TextDecoder();
const magic = 0x46554747;
const textType = 8;
const listType = 9;

type Read<T> = (view: DataView, at: number) => T;
const u32: Read<number> = (view, at) => view.getUint32(at, true);
const u64: Read<number> = (view, at) => Number(view.getBigUint64(at, true));

/** The types of fixed length: their bytes, and how they are read. */
const scalars: Readonly<Record<number, readonly [width: number, read: Read<number | boolean>]>> = {
  0: [1, (view, at) => view.getUint8(at)],
  1: [1, (view, at) => view.getInt8(at)],
  2: [2, (view, at) => view.getUint16(at, true)],
  3: [2, (view, at) => view.getInt16(at, true)],
  4: [4, u32],
  5: [4, (view, at) => view.getInt32(at, true)],
  6: [4, (view, at) => view.getFloat32(at, true)],
  7: [1, (view, at) => view.getUint8(at) !== 0],
  10: [8, u64],
  11: [8, (view, at) => Number(view.getBigInt64(at, true))],
  12: [8, (view, at) => view.getFloat64(at, true)],
};

/** By type of a table: numbers per block, and bytes per block. */
const blockSizes: Readonly<Record<number, readonly [length: number, bytes: number]>> = {
  0: [1, 4],
  1: [1, 2],
  2: [32, 18],
  3: [32, 20],
  6: [32, 22],
  7: [32, 24],
  8: [32, 34],
  9: [32, 36],
  10: [256, 84],
  11: [256, 110],
  12: [256, 144],
  13: [256, 176],
  14: [256, 210],
  15: [256, 292],
  16: [256, 66],
  17: [256, 74],
  18: [256, 98],
  19: [256, 50],
  20: [32, 18],
  21: [256, 110],
  22: [256, 82],
  23: [256, 136],
  24: [1, 1],
  25: [1, 2],
  26: [1, 4],
  27: [1, 8],
  28: [1, 8],
  29: [256, 56],
  30: [1, 2],
  34: [256, 54],
  35: [256, 66],
  39: [32, 17],
};
