import { compileRowKernel, rowEntryBytes } from "./row-kernel.ts";
import { rowKernelBytes } from "./row-kernel-bytes.ts";

/** Rows that are added at once. */
const maxListed = 64;
const pageBytes = 65_536;

/** A table of bytes in the memory of the kernel, after the doubles of a sum and a list of rows. */
export interface RowMemory {
  readonly table: Int8Array;
  /** Adds rows of the table, each multiplied by its weight, to `sum`. */
  add(ids: readonly number[], from: number, end: number, sum: Float64Array): void;
}

/** Expects a multiple of eight dimensions. */
export function createRowMemory(weights: Float32Array, dimensions: number): RowMemory {
  const { memory, addRows } = compileRowKernel(rowKernelBytes());
  const list = 8 * dimensions;
  const start = list + maxListed * rowEntryBytes;
  const tableBytes = weights.length * dimensions;
  memory.grow(Math.ceil((start + tableBytes) / pageBytes));
  const { buffer } = memory;
  const sums = new Float64Array(buffer, 0, dimensions);
  const integers = new Int32Array(buffer, list, (maxListed * rowEntryBytes) / 4);
  const doubles = new Float64Array(buffer, list, (maxListed * rowEntryBytes) / 8);
  return {
    table: new Int8Array(buffer, start, tableBytes),
    add(ids, from, end, sum) {
      sums.set(sum);
      for (let at = from; at < end; at += maxListed) {
        const count = Math.min(maxListed, end - at);
        for (let entry = 0; entry < count; entry++) {
          const id = ids[at + entry]!;
          integers[(entry * rowEntryBytes) / 4] = start + id * dimensions;
          doubles[(entry * rowEntryBytes) / 8 + 1] = weights[id]!;
        }
        addRows(list, count, 0, dimensions);
      }
      sum.set(sums);
    },
  };
}
