import { writeUnitVector } from "../check-vectors.ts";
import { modelUnusable } from "./model-unusable.ts";
import { createRowAdder, type RowAdder } from "./row-file.ts";
import type { Tensor } from "./safetensors.ts";

/** A static model: one vector per word piece; the vector of a text is the sum of its pieces. */
export interface StaticModel {
  readonly dimensions: number;
  readonly rowCount: number;
  /** The unit vector of all pieces together, in `into` if that is given; null if their sum is zero. */
  embedWhole(ids: readonly number[], into?: Float32Array): Float32Array | null;
  /**
   * Unit vectors of windows of `2 × step` pieces that begin `step` pieces apart, in order. The last one ends with
   * the text and may be shorter. A window whose sum is zero is left out.
   */
  embedWindows(ids: readonly number[], step: number): Float32Array[];
}

/** `file` is named in the error if the tables cannot be used. */
export function createStaticModel(tensors: ReadonlyMap<string, Tensor>, file: string): StaticModel {
  return sumRows(createRowAdder(tensors, file), file);
}

/** The same from rows that may be read on demand. */
export function sumRows({ dimensions, rowCount, addRow, addRows }: RowAdder, file: string): StaticModel {
  /** Writes the normalized sum to `into`; false if the sum is zero. */
  function normalize(sum: Float64Array, into: Float32Array): boolean {
    const length = writeUnitVector(sum, into);
    if (Number.isFinite(length)) return length > 0;
    throw modelUnusable(file, "a number in its table is not finite");
  }

  function embedWhole(ids: readonly number[], into?: Float32Array): Float32Array | null {
    const sum = new Float64Array(dimensions);
    for (const id of ids) addRow(id, sum);
    const vector = into ?? new Float32Array(dimensions);
    return normalize(sum, vector) ? vector : null;
  }

  function embedWindows(ids: readonly number[], step: number): Float32Array[] {
    const windowCount = Math.max(1, Math.ceil(ids.length / step) - 1);
    // All windows of a text share one buffer: one allocation instead of some twenty.
    const memory = new Float32Array(windowCount * dimensions);
    const vectors: Float32Array[] = [];
    // A window is two adjacent steps, so each row is added only once although it is in two windows.
    let earlier = new Float64Array(dimensions);
    let later = new Float64Array(dimensions);
    addRows(ids, 0, Math.min(step, ids.length), earlier);
    for (let window = 0; window < windowCount; window++) {
      later.fill(0);
      const from = (window + 1) * step;
      addRows(ids, from, Math.min(from + step, ids.length), later);
      for (let i = 0; i < dimensions; i++) earlier[i]! += later[i]!;
      const vector = memory.subarray(window * dimensions, (window + 1) * dimensions);
      if (normalize(earlier, vector)) vectors.push(vector);
      [earlier, later] = [later, earlier];
    }
    return vectors;
  }

  return { dimensions, rowCount, embedWhole, embedWindows };
}
