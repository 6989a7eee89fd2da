import { LonghandError } from "../errors.ts";

export interface ExpectedVectors {
  /** Who gave them, for the message: `openai text-embedding-3-small`. */
  readonly from: string;
  readonly count: number;
  readonly dimensions: number;
}

/**
 * The one door through which vectors of a provider enter: as many as texts were sent, each of the right length, finite
 * and with a direction. What passes has unit length, worked out in double precision and kept in single.
 */
export function validateVectors(
  vectors: readonly ArrayLike<number>[],
  { from, count, dimensions }: ExpectedVectors,
): Float32Array[] {
  if (vectors.length !== count) {
    throw invalid(from, `${vectors.length} vectors came back for ${count} texts`);
  }
  return vectors.map((values, index) => {
    const position = `vector ${index + 1} of ${count}`;
    if (values.length !== dimensions) {
      throw invalid(from, `${position} has ${values.length} numbers instead of ${dimensions}`);
    }
    const unit = new Float32Array(dimensions);
    const length = writeUnitVector(values, unit);
    if (length === 0) throw invalid(from, `${position} is zero`);
    if (!Number.isFinite(length))
      throw invalid(from, `${position} holds something that is not a finite number`);
    return unit;
  });
}

/**
 * Writes the direction of `values` into `into`, and returns their length. When that is 0 or not finite there is no
 * direction, and `into` is left alone.
 */
export function writeUnitVector(values: ArrayLike<number>, into: Float32Array): number {
  let squares = 0;
  for (let i = 0; i < values.length; i++) squares += values[i]! * values[i]!;
  // Squares this small have lost their digits, and with them the direction.
  if (squares < 1e-290) return 0;
  const length = Math.sqrt(squares);
  if (!Number.isFinite(length)) return length;
  for (let i = 0; i < values.length; i++) into[i] = values[i]! / length;
  return length;
}

function invalid(from: string, why: string): LonghandError {
  return new LonghandError("vectors-invalid", `The vectors of ${from} cannot be used: ${why}.`, {
    hint: "Check that the configured model is an embedding model and that its dimensions fit; then sync again.",
  });
}
