import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { validateVectors } from "./validate-vectors.ts";

const expected = { from: "a test", count: 2, dimensions: 3 };
const good = [3, 0, 4];

test("Vectors come out with unit length, in single precision and in their order", () => {
  const vectors = validateVectors([good, new Float32Array([0, -2, 0])], expected);
  assert.deepEqual(vectors, [new Float32Array([0.6, 0, 0.8]), new Float32Array([0, -1, 0])]);
});

test("A wrong count, length or number is refused, and the message says which vector it was", () => {
  const refused: [readonly (readonly number[])[], RegExp][] = [
    [[good], /1 vectors came back for 2 texts/],
    [[good, good, good], /3 vectors came back for 2 texts/],
    [[good, [1, 2]], /vector 2 of 2 has 2 numbers instead of 3/],
    [[[0, 0, 0], good], /vector 1 of 2 is zero/],
    [[[1e-200, 0, 0], good], /vector 1 of 2 is zero/],
    [[good, [1, Number.NaN, 0]], /vector 2 of 2 holds something that is not a finite number/],
    [[good, [1, Number.POSITIVE_INFINITY, 0]], /vector 2 of 2 holds something/],
    [[good, [1, null as unknown as number, undefined as unknown as number]], /vector 2 of 2 holds something/],
  ];
  for (const [vectors, message] of refused) {
    assert.throws(() => validateVectors(vectors, expected), { code: "vectors-invalid", message });
  }
});

test("Whatever is let through has unit length", () => {
  const numbers = fc.array(fc.double(), { minLength: 4, maxLength: 4 });
  const check = fc.property(numbers, (values) => {
    let unit: Float32Array;
    try {
      unit = validateVectors([values], { from: "a test", count: 1, dimensions: 4 })[0]!;
    } catch (error) {
      assert.equal((error as { code: string }).code, "vectors-invalid");
      return;
    }
    assert.ok(Math.abs(Math.hypot(...unit) - 1) < 1e-6);
  });
  fc.assert(check, { seed: 11, numRuns: 500 });
});
