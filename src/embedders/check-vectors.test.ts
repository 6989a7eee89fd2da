import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { checkVectors } from "./check-vectors.ts";

const expected = { from: "a test", count: 2, dimensions: 3 };
const good = [3, 0, 4];

test("Vectors are normalized to unit length, in single precision and in their order", () => {
  const vectors = checkVectors([good, new Float32Array([0, -2, 0])], expected);
  assert.deepEqual(vectors, [new Float32Array([0.6, 0, 0.8]), new Float32Array([0, -1, 0])]);
});

test("A wrong count or length rejects all vectors, and the message names the vector", () => {
  const refused: [readonly (readonly number[])[], RegExp][] = [
    [[good], /1 vectors came back for 2 texts/],
    [[good, good, good], /3 vectors came back for 2 texts/],
    [[good, [1, 2]], /vector 2 of 2 has 2 numbers instead of 3/],
    [[good, undefined as never], /vector 2 of 2 has 0 numbers instead of 3/],
    [[null as never, good], /vector 1 of 2 has 0 numbers/],
    [undefined as never, /0 vectors came back for 2 texts/],
    [{} as never, /0 vectors came back for 2 texts/],
  ];
  for (const [vectors, message] of refused) {
    assert.throws(() => checkVectors(vectors, expected), { code: "vectors-invalid", message });
  }
});

test("Only the text of a zero vector is refused", () => {
  for (const [bad, reason] of [
    [[0, 0, 0], /vector 2 of 2 is zero/],
    [[1e-200, 0, 0], /vector 2 of 2 is zero/],
    [[1, Number.NaN, 0], /vector 2 of 2 holds something that is not a finite number/],
    [[1, Number.POSITIVE_INFINITY, 0], /vector 2 of 2 holds something/],
    [[1, null as unknown as number, undefined as unknown as number], /vector 2 of 2 holds something/],
  ] as const) {
    const [kept, refused] = checkVectors([good, bad], expected);
    assert.deepEqual(kept, new Float32Array([0.6, 0, 0.8]));
    assert.match(refused && "refused" in refused ? refused.refused : "", reason);
  }
});

test("Every accepted vector has unit length", () => {
  const numbers = fc.array(fc.double(), { minLength: 4, maxLength: 4 });
  const check = fc.property(numbers, (values) => {
    const [unit] = checkVectors([values], { from: "a test", count: 1, dimensions: 4 });
    if (!unit || "refused" in unit) return;
    assert.ok(Math.abs(Math.hypot(...unit) - 1) < 1e-6);
  });
  fc.assert(check, { seed: 11, numRuns: 500 });
});
