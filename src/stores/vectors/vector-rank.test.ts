import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { findMedian, selectHighest } from "./vector-rank.ts";

/** Few distinct values, so that many are equal, and positions without one. */
const values = fc
  .array(fc.constantFrom(-1, -0.5, 0, 0.25, 0.5, 1, Number.NEGATIVE_INFINITY), { maxLength: 200 })
  .map((numbers) => Float32Array.from(numbers));

test("the highest values are the first ones of a stable sort", () => {
  const holds = fc.property(
    values,
    fc.oneof(fc.integer({ min: -1, max: 12 }), fc.integer({ min: 0, max: 300 })),
    fc.option(fc.infiniteStream(fc.boolean())),
    (numbers, limit, choices) => {
      const allowed =
        choices === null
          ? null
          : Uint8Array.from({ length: numbers.length }, () => (choices.next().value ? 1 : 0));
      const expected = [...numbers.keys()]
        .filter((index) => numbers[index] !== Number.NEGATIVE_INFINITY && allowed?.[index] !== 0)
        .sort((a, b) => numbers[b]! - numbers[a]! || a - b)
        .slice(0, Math.max(0, limit));
      assert.deepEqual(selectHighest(numbers, limit, allowed), expected);
    },
  );
  fc.assert(holds, { seed: 5, numRuns: 500 });
});

test("the median ignores positions without a value", () => {
  const median = (...numbers: number[]) => findMedian(Float32Array.from(numbers));
  assert.equal(median(), 0);
  assert.equal(median(Number.NEGATIVE_INFINITY), 0);
  assert.equal(median(0.5), 0.5);
  assert.equal(median(0.5, -1, Number.NEGATIVE_INFINITY, 0.25), 0.25);
  assert.equal(median(1, 0.5, -1, 0.25), 0.375);
});

test("the median is that of all sorted values", () => {
  const value = fc.oneof(fc.float({ min: -1, max: 1, noNaN: true }), fc.constant(Number.NEGATIVE_INFINITY));
  const holds = fc.property(fc.array(value, { maxLength: 60 }), (numbers) => {
    const ordered = numbers.filter((each) => each !== Number.NEGATIVE_INFINITY).sort((a, b) => a - b);
    const [lower, upper] = [ordered[(ordered.length - 1) >> 1], ordered[ordered.length >> 1]];
    const expected = lower === undefined || upper === undefined ? 0 : (lower + upper) / 2;
    assert.equal(findMedian(Float32Array.from(numbers)) + 0, expected + 0);
  });
  fc.assert(holds, { seed: 5, numRuns: 500 });
});

test("the median of very many values is that of an even sample", () => {
  const ascending = Float32Array.from({ length: 100_000 }, (_, index) => index / 100_000);
  assert.ok(Math.abs(findMedian(ascending) - 0.5) < 0.001);
});
