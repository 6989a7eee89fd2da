import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { modelUnusable } from "./model-unusable.ts";
import { parseTensorPlaces, type Tensor, type TensorPlace } from "./safetensors.ts";

/**
 * Some rows of the tables of a safetensors file, as tables of their own: row `n` is that of `ids[n]`. A question has a
 * dozen word pieces, and reading all 30,000 rows for them would take longer than the search.
 */
export function readRows(file: string, ids: readonly number[]): ReadonlyMap<string, Tensor> {
  const fd = openSync(file, "r");
  try {
    const read = (position: number, length: number): Uint8Array => {
      const bytes = new Uint8Array(length);
      if (readSync(fd, bytes, 0, length, position) === length) return bytes;
      throw modelUnusable(file, "it ends too early");
    };
    const headerBytes = Number(new DataView(read(0, 8).buffer).getBigUint64(0, true));
    const dataStart = 8 + headerBytes;
    const dataBytes = fstatSync(fd).size - dataStart;
    if (dataBytes < 0) throw modelUnusable(file, `its header should have ${headerBytes} bytes`);
    const places = parseTensorPlaces(read(8, headerBytes), dataBytes, file);
    const takeRows = ({ type, shape, start, end }: TensorPlace): Tensor => {
      const [rows = 0, ...rest] = shape;
      const rowBytes = (end - start) / rows;
      const bytes = new Uint8Array(ids.length * rowBytes);
      for (const [index, id] of ids.entries()) {
        bytes.set(read(dataStart + start + id * rowBytes, rowBytes), index * rowBytes);
      }
      return { type, shape: [ids.length, ...rest], bytes };
    };
    return new Map([...places].map(([name, place]) => [name, takeRows(place)]));
  } finally {
    closeSync(fd);
  }
}
