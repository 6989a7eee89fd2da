import { modelUnusable } from "./model-unusable.ts";
import { float16Bits, float32Values, int8Values, type Tensor } from "./safetensors.ts";

export interface RowAdder {
  readonly dimensions: number;
  readonly rowCount: number;
  /** Adds row `id`, times its weight, to `sum`. */
  addRow(id: number, sum: Float64Array): void;
}

/** The rows of the table `embeddings` in whichever type it has, with the table `weights` where there is one. */
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
  return {
    dimensions,
    rowCount,
    addRow: rowAdder(table, dimensions, readWeights(tensors.get("weights"), rowCount, file), file),
  };
}

function rowAdder(
  table: Tensor,
  dimensions: number,
  weights: Float32Array,
  file: string,
): RowAdder["addRow"] {
  switch (table.type) {
    case "I8": {
      const values = int8Values(table);
      return (id, sum) => {
        const weight = weights[id]!;
        const start = id * dimensions;
        for (let i = 0; i < dimensions; i++) sum[i]! += weight * values[start + i]!;
      };
    }
    case "F32": {
      const values = float32Values(table);
      return (id, sum) => {
        const weight = weights[id]!;
        const start = id * dimensions;
        for (let i = 0; i < dimensions; i++) sum[i]! += weight * values[start + i]!;
      };
    }
    case "F16": {
      const bits = float16Bits(table);
      const values = everyFloat16();
      return (id, sum) => {
        const weight = weights[id]!;
        const start = id * dimensions;
        for (let i = 0; i < dimensions; i++) sum[i]! += weight * values[bits[start + i]!]!;
      };
    }
    default:
      throw modelUnusable(file, `its table "embeddings" is of type ${table.type} instead of F32, F16 or I8`);
  }
}

/** One weight a row, by the table `weights` where there is one. */
export function readWeights(weights: Tensor | undefined, rowCount: number, file: string): Float32Array {
  if (weights === undefined) return new Float32Array(rowCount).fill(1);
  if (weights.type !== "F32" || weights.shape.length !== 1 || weights.shape[0] !== rowCount) {
    const found = `${weights.type} [${weights.shape}]`;
    throw modelUnusable(file, `its table "weights" is ${found} instead of F32 [${rowCount}]`);
  }
  return float32Values(weights);
}

/** What each of the 65,536 bit patterns of a half-precision number stands for. */
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
