import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { systemErrorCode } from "../../errors.ts";
import { modelUnusable } from "./model-unusable.ts";
import { createRowMemory, type RowMemory } from "./row-memory.ts";
import {
  findTensors,
  float16Bits,
  float32Values,
  int8Values,
  type Tensor,
  type TensorPlace,
} from "./safetensors.ts";

/** A table whose rows are read on first use. */
export interface RowFile extends RowAdder {
  /** Closes the file. It is opened again if another row is needed. */
  close(): void;
}

/** About a page of the disk: words of similar frequency are stored together. */
const rowsPerBlock = 16;
/** Larger than any known header. */
const headBytes = 4096;
/** A search adds a few hundred rows, which takes less time than to compile the kernel and to make room for its table. */
const rowsBeforeKernel = 4096;

/**
 * The table `embeddings` of a safetensors file, in bytes. A search needs a few hundred of its many thousand rows, and
 * reading all of them takes longer than embedding the query. For the packaged model: tables of other types are refused.
 */
export function openRowFile(file: string): RowFile {
  let descriptor: number | null = null;
  const open = (): number => (descriptor ??= guarded(file, () => openSync(file, "r")));
  const size = guarded(file, () => fstatSync(open()).size);

  const read = (start: number, bytes: Uint8Array): Uint8Array => {
    for (let done = 0; done < bytes.length; ) {
      const count = guarded(file, () => readSync(open(), bytes, done, bytes.length - done, start + done));
      if (count === 0) throw modelUnusable(file, `it ended after ${start + done} of ${size} bytes`);
      done += count;
    }
    return bytes;
  };
  const close = (): void => {
    if (descriptor !== null) closeSync(descriptor);
    descriptor = null;
  };
  const load = ({ type, shape, start, end }: TensorPlace): Tensor => ({
    type,
    shape,
    bytes: read(start, new Uint8Array(end - start)),
  });

  try {
    const places = findTensors(read(0, new Uint8Array(Math.min(size, headBytes))), { file, sizeBytes: size });
    const table = places?.get("embeddings");
    const [rowCount = 0, dimensions = 0] = table?.shape ?? [];
    if (table?.type !== "I8" || table.shape.length !== 2 || rowCount * dimensions === 0) {
      throw modelUnusable(file, 'it has no table "embeddings" of rows of bytes');
    }
    const weightsPlace = places!.get("weights");
    const weights = readWeights(weightsPlace && load(weightsPlace), rowCount, file);
    const blocks = new Array<Int8Array | undefined>(Math.ceil(rowCount / rowsPerBlock));
    let memory: RowMemory | null = null;
    let added = 0;

    const readBlock = (number: number): Int8Array => {
      const start = number * rowsPerBlock * dimensions;
      const length = Math.min(rowsPerBlock * dimensions, table.end - table.start - start);
      const block = memory?.table.subarray(start, start + length) ?? new Int8Array(length);
      read(table.start + start, new Uint8Array(block.buffer, block.byteOffset, length));
      blocks[number] = block;
      return block;
    };
    const openMemory = (): RowMemory => {
      memory = createRowMemory(weights, dimensions);
      for (const [number, block] of blocks.entries()) {
        if (block === undefined) continue;
        const start = number * rowsPerBlock * dimensions;
        memory.table.set(block, start);
        blocks[number] = memory.table.subarray(start, start + block.length);
      }
      return memory;
    };
    const addRow = (id: number, sum: Float64Array): void => {
      const number = Math.floor(id / rowsPerBlock);
      const block = blocks[number] ?? readBlock(number);
      const weight = weights[id]!;
      const start = (id % rowsPerBlock) * dimensions;
      for (let i = 0; i < dimensions; i++) sum[i]! += weight * block[start + i]!;
    };
    return {
      dimensions,
      rowCount,
      addRow,
      addRows(ids, from, end, sum) {
        added += end - from;
        if (dimensions % 8 !== 0 || added < rowsBeforeKernel) {
          for (let at = from; at < end; at++) addRow(ids[at]!, sum);
          return;
        }
        const { add } = memory ?? openMemory();
        for (let at = from; at < end; at++) {
          const number = Math.floor(ids[at]! / rowsPerBlock);
          if (blocks[number] === undefined) readBlock(number);
        }
        add(ids, from, end, sum);
      },
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

function guarded<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    const code = systemErrorCode(cause);
    throw code === undefined ? cause : modelUnusable(file, `reading it failed with ${code}`, cause);
  }
}

export interface RowAdder {
  readonly dimensions: number;
  readonly rowCount: number;
  /** Adds row `id`, multiplied by its weight, to `sum`. */
  addRow(id: number, sum: Float64Array): void;
  /** The same for the rows `ids[from..end]`, in this order. Several times as fast for many texts. */
  addRows(ids: readonly number[], from: number, end: number, sum: Float64Array): void;
}

/** The rows of the table `embeddings`, of any supported type, with the table `weights` if there is one. */
export function createRowAdder(tensors: ReadonlyMap<string, Tensor>, file: string): RowAdder {
  const table = tensors.get("embeddings");
  if (table === undefined) {
    const names = [...tensors.keys()].map((name) => `"${name}"`).join(", ");
    throw modelUnusable(file, `it has no table "embeddings"${names === "" ? "" : `, only ${names}`}`);
  }
  const [rowCount = 0, dimensions = 0] = table.shape;
  if (table.shape.length !== 2 || rowCount === 0 || dimensions === 0) {
    throw modelUnusable(
      file,
      `its table "embeddings" has the shape [${table.shape}] instead of rows and columns`,
    );
  }
  const addRow = rowAdder(table, dimensions, readWeights(tensors.get("weights"), rowCount, file), file);
  return {
    dimensions,
    rowCount,
    addRow,
    addRows(ids, from, end, sum) {
      for (let at = from; at < end; at++) addRow(ids[at]!, sum);
    },
  };
}

function rowAdder(
  table: Tensor,
  dimensions: number,
  weights: Float32Array,
  file: string,
): RowAdder["addRow"] {
  if (table.type === "F16") {
    const [bits, values] = [float16Bits(table), everyFloat16()];
    return (id, sum) => {
      const weight = weights[id]!;
      const start = id * dimensions;
      for (let i = 0; i < dimensions; i++) sum[i]! += weight * values[bits[start + i]!]!;
    };
  }
  if (table.type !== "I8" && table.type !== "F32") {
    throw modelUnusable(file, `its table "embeddings" is of type ${table.type} instead of F32, F16 or I8`);
  }
  const values = table.type === "I8" ? int8Values(table) : float32Values(table);
  return (id, sum) => {
    const weight = weights[id]!;
    const start = id * dimensions;
    for (let i = 0; i < dimensions; i++) sum[i]! += weight * values[start + i]!;
  };
}

/** One weight per row, from the table `weights` if there is one. */
function readWeights(weights: Tensor | undefined, rowCount: number, file: string): Float32Array {
  if (weights === undefined) return new Float32Array(rowCount).fill(1);
  if (weights.type !== "F32" || weights.shape.length !== 1 || weights.shape[0] !== rowCount) {
    const found = `${weights.type} [${weights.shape}]`;
    throw modelUnusable(file, `its table "weights" is ${found} instead of F32 [${rowCount}]`);
  }
  return float32Values(weights);
}

/** The value of each of the 65,536 bit patterns of a half-precision number. */
function everyFloat16(): Float32Array {
  return Float32Array.from({ length: 65_536 }, (_, bits) => {
    const sign = bits & 0x8000 ? -1 : 1;
    const exponent = (bits >> 10) & 0x1f;
    const fraction = bits & 0x3ff;
    if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
    return exponent === 0
      ? sign * 2 ** -14 * (fraction / 1024)
      : sign * 2 ** (exponent - 15) * (1 + fraction / 1024);
  });
}
