import { type Fields, fieldsOf, isFields } from "../../text/fields.ts";
import { modelUnusable } from "./model-unusable.ts";

/** One table of numbers as stored in the file, little-endian. */
export interface Tensor {
  /** `F32`, `F16`, `I8`, or an unsupported type. */
  readonly type: string;
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
}

const bytesPerNumber: Readonly<Record<string, number>> = { F32: 4, F16: 2, I8: 1 };

/** The byte range of a table in its file. */
export interface TensorPlace extends Omit<Tensor, "bytes"> {
  readonly start: number;
  readonly end: number;
}

/**
 * The tables of a safetensors file, by name: eight bytes with the length of a JSON header, the header, the numbers.
 * Nothing is copied; every table is checked to be inside the file and as long as its shape says.
 */
export function parseSafetensors(bytes: Uint8Array, file: string): ReadonlyMap<string, Tensor> {
  const places = findTensors(bytes, { file, sizeBytes: bytes.length })!;
  return new Map(
    [...places].map(([name, { type, shape, start, end }]) => [
      name,
      { type, shape, bytes: bytes.subarray(start, end) },
    ]),
  );
}

/** The same from the beginning of a file of that size; null if the header is longer than the given bytes. */
export function findTensors(
  head: Uint8Array,
  { file, sizeBytes }: { readonly file: string; readonly sizeBytes: number },
): ReadonlyMap<string, TensorPlace> | null {
  if (sizeBytes < 8) throw modelUnusable(file, `it has only ${sizeBytes} bytes`);
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const headerBytes = Number(view.getBigUint64(0, true));
  if (headerBytes > sizeBytes - 8) {
    throw modelUnusable(
      file,
      `its header should have ${headerBytes} bytes, but the file ends after ${sizeBytes}`,
    );
  }
  const dataStart = 8 + headerBytes;
  if (dataStart > head.length) return null;
  const places = new Map<string, TensorPlace>();
  for (const [name, entry] of Object.entries(parseHeader(head.subarray(8, dataStart), file))) {
    if (name === "__metadata__") continue;
    const { type, shape, start, end } = readEntry(name, entry, sizeBytes - dataStart, file);
    places.set(name, { type, shape, start: dataStart + start, end: dataStart + end });
  }
  return places;
}

/** Single-precision numbers of a table, without a copy if their alignment allows it. */
export function float32Values({ bytes }: Tensor): Float32Array {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
  return new Float32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4);
}

/** Half-precision numbers as their bit patterns. */
export function float16Bits({ bytes }: Tensor): Uint16Array {
  const aligned = bytes.byteOffset % 2 === 0 ? bytes : new Uint8Array(bytes);
  return new Uint16Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 2);
}

export function int8Values({ bytes }: Tensor): Int8Array {
  return new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function parseHeader(bytes: Uint8Array, file: string): Fields {
  try {
    const header: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (isFields(header)) return header;
  } catch (cause) {
    throw modelUnusable(file, "its header is not JSON, so it is not a safetensors file", cause);
  }
  throw modelUnusable(file, "its header is not a JSON object, so it is not a safetensors file");
}

function readEntry(name: string, entry: unknown, dataBytes: number, file: string): TensorPlace {
  const { dtype: type, shape, data_offsets: offsets } = fieldsOf(entry);
  if (typeof type !== "string" || !isCounts(shape) || !isCounts(offsets) || offsets.length !== 2) {
    throw modelUnusable(file, `the description of its table "${name}" is not one of a safetensors file`);
  }
  const [start, end] = offsets as [number, number];
  if (start > end || end > dataBytes) {
    throw modelUnusable(
      file,
      `its table "${name}" should span the bytes ${start} to ${end}, but only ${dataBytes} follow the header`,
    );
  }
  const expectedBytes =
    shape.reduce((product, size) => product * size, 1) * (bytesPerNumber[type] ?? Number.NaN);
  if (expectedBytes !== end - start && type in bytesPerNumber) {
    throw modelUnusable(
      file,
      `its table "${name}" (${type}, ${shape.join(" × ")}) needs ${expectedBytes} bytes and has ${end - start}`,
    );
  }
  return { type, shape, start, end };
}

function isCounts(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((item) => Number.isSafeInteger(item) && item >= 0);
}
