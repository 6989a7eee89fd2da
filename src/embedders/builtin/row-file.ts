import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { systemErrorCode } from "../../errors.ts";
import { modelUnusable } from "./model-unusable.ts";
import { type RowAdder, readWeights } from "./rows.ts";
import { findTensors, int8Values, type Tensor, type TensorPlace } from "./safetensors.ts";

/** A table of which rows are read when they are first asked for. */
export interface RowFile extends RowAdder {
  /** Gives the file back. It is opened again if another row is asked for. */
  close(): void;
}

/** A page of the disk, mostly; words that are as common as each other stand together. */
const rowsPerBlock = 16;
/** More than any header that was seen. */
const headBytes = 4096;

/**
 * The table `embeddings` of a safetensors file, of bytes. A search needs a few hundred of its many thousand rows, and to
 * read them all takes longer than to embed the question. For the model of the package: tables of other kinds are refused.
 */
export function openRowFile(file: string): RowFile {
  let descriptor: number | null = null;
  const open = (): number => (descriptor ??= guarded(file, () => openSync(file, "r")));
  const size = guarded(file, () => fstatSync(open()).size);

  const read = (start: number, length: number): Uint8Array => {
    const bytes = Buffer.allocUnsafeSlow(length);
    for (let done = 0; done < length; ) {
      const count = guarded(file, () => readSync(open(), bytes, done, length - done, start + done));
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
    bytes: read(start, end - start),
  });

  try {
    const places = findTensors(read(0, Math.min(size, headBytes)), { file, sizeBytes: size });
    const table = places?.get("embeddings");
    const [rowCount = 0, dimensions = 0] = table?.shape ?? [];
    if (table?.type !== "I8" || table.shape.length !== 2 || rowCount * dimensions === 0) {
      throw modelUnusable(file, 'it has no table "embeddings" of rows of bytes');
    }
    const weightsPlace = places!.get("weights");
    const weights = readWeights(weightsPlace && load(weightsPlace), rowCount, file);
    const blocks = new Array<Int8Array | undefined>(Math.ceil(rowCount / rowsPerBlock));

    const readBlock = (number: number): Int8Array => {
      const start = number * rowsPerBlock * dimensions;
      const length = Math.min(rowsPerBlock * dimensions, table.end - table.start - start);
      const block = int8Values({ type: "I8", shape: [], bytes: read(table.start + start, length) });
      blocks[number] = block;
      return block;
    };
    return {
      dimensions,
      rowCount,
      addRow(id, sum) {
        const number = Math.floor(id / rowsPerBlock);
        const block = blocks[number] ?? readBlock(number);
        const weight = weights[id]!;
        const start = (id % rowsPerBlock) * dimensions;
        for (let i = 0; i < dimensions; i++) sum[i]! += weight * block[start + i]!;
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
