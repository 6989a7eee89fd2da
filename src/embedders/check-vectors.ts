import { LonghandError } from "../errors.ts";
import type { RefusedText } from "./embedder.ts";

interface ExpectedVectors {
  /** Who gave them, for the message: `openai text-embedding-3-small`. */
  readonly from: string;
  readonly count: number;
  /** Null if the first vector decides for all. */
  readonly dimensions: number | null;
}

/**
 * Checks all vectors of a provider: one for each text, of the right length, finite and not zero. The result has unit
 * length, computed in double precision and kept in single. A vector that is zero or not finite may be caused by its text
 * alone, so it is a separate case; all other faults are the provider's.
 */
export function checkVectors(
  received: readonly ArrayLike<number>[],
  { from, count, dimensions }: ExpectedVectors,
): (Float32Array | RefusedText)[] {
  // A provider without types may return anything.
  const vectors: readonly (ArrayLike<number> | null | undefined)[] = Array.isArray(received) ? received : [];
  if (vectors.length !== count) {
    throw vectorsInvalid(from, `${vectors.length} vectors came back for ${count} texts`);
  }
  const length = dimensions ?? vectors[0]?.length ?? 0;
  if (length === 0 && count > 0) throw vectorsInvalid(from, "they have no numbers");
  return vectors.map((values, index) => {
    const position = `vector ${index + 1} of ${count}`;
    if (values?.length !== length) {
      throw vectorsInvalid(from, `${position} has ${values?.length ?? 0} numbers instead of ${length}`);
    }
    const unit = new Float32Array(length);
    // NaN arrives as null in JSON, which arithmetic would take for 0.
    const isNumeric = values instanceof Float32Array || Array.prototype.every.call(values, isNumber);
    const norm = isNumeric ? writeUnitVector(values, unit) : Number.NaN;
    if (norm === 0) return { refused: `${position} is zero` };
    if (!Number.isFinite(norm)) return { refused: `${position} holds something that is not a finite number` };
    return unit;
  });
}

const isNumber = (value: unknown): boolean => typeof value === "number";

/**
 * Vectors in the order of the texts, by the index in the response. Some compatible services give none; then they are
 * in order already.
 */
export function orderByIndex(
  items: readonly { readonly index: number | null; readonly vector: ArrayLike<number> }[],
  from: string,
): ArrayLike<number>[] {
  if (items.every(({ index }) => index === null)) return items.map(({ vector }) => vector);
  const ordered: ArrayLike<number>[] = [];
  for (const { index, vector } of items) {
    if (
      index === null ||
      !Number.isInteger(index) ||
      index < 0 ||
      index >= items.length ||
      index in ordered
    ) {
      throw vectorsInvalid(from, `index ${index} does not fit one of ${items.length} texts, or occurs twice`);
    }
    ordered[index] = vector;
  }
  return ordered;
}

/**
 * Writes the unit vector of `values` into `into` and returns their length. If that is 0 or not finite there is no
 * direction, and `into` is unchanged.
 */
export function writeUnitVector(values: ArrayLike<number>, into: Float32Array): number {
  let squares = 0;
  for (let i = 0; i < values.length; i++) squares += values[i]! * values[i]!;
  // Squares this small have lost their digits, and so the direction.
  if (squares < 1e-290) return 0;
  const length = Math.sqrt(squares);
  if (!Number.isFinite(length)) return length;
  for (let i = 0; i < values.length; i++) into[i] = values[i]! / length;
  return length;
}

export function vectorsInvalid(from: string, why: string): LonghandError {
  return new LonghandError("vectors-invalid", `The vectors of ${from} cannot be used: ${why}.`, {
    hint: "Check that the configured model is an embedding model and that its dimensions fit; then sync again.",
  });
}
