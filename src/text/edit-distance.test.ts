import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { editDistance } from "./edit-distance.ts";

/** The recursive definition, without a table. */
function naiveDistance(left: string, right: string): number {
  if (left === "" || right === "") return left.length + right.length;
  const equal = left.at(-1) === right.at(-1) ? 0 : 1;
  const choices = [
    naiveDistance(left.slice(0, -1), right) + 1,
    naiveDistance(left, right.slice(0, -1)) + 1,
    naiveDistance(left.slice(0, -1), right.slice(0, -1)) + equal,
  ];
  if (left.length > 1 && right.length > 1 && left.at(-1) === right.at(-2) && left.at(-2) === right.at(-1)) {
    choices.push(naiveDistance(left.slice(0, -2), right.slice(0, -2)) + 1);
  }
  return Math.min(...choices);
}

test("a transposition, a deletion, an insertion and a substitution cost 1 each", () => {
  for (const slip of ["desing", "desgn", "dessign", "dezign"])
    assert.equal(editDistance(slip, "design", 2), 1);
  assert.equal(editDistance("kitten", "sitting", 3), 3);
  assert.equal(editDistance("same", "same", 0), 0);
});

test("it agrees with the definition, and stops counting above the limit", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 6 });
  fc.assert(
    fc.property(word, word, fc.nat(6), (left, right, limit) => {
      const distance = naiveDistance(left, right);
      assert.equal(editDistance(left, right), distance);
      assert.equal(editDistance(left, right, limit), Math.min(distance, limit + 1));
    }),
    { seed: 20261115, numRuns: 400 },
  );
});
