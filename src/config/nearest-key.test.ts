import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { editDistance, nearestKey } from "./nearest-key.ts";

const known = ["maxResults", "minScore", "maxSnippetChars", "hybrid", "enabled"];

test("a slip of the fingers finds the key that was meant", () => {
  for (const slip of ["maxResult", "maxresults", "max_results", "max-results", "mxaResults", "maxResutls"]) {
    assert.equal(nearestKey(slip, known), "maxResults", slip);
  }
  assert.equal(nearestKey("minscor", known), "minScore");
  assert.equal(nearestKey("enable", known), "enabled");
});

test("a word that resembles none finds none", () => {
  for (const word of ["", "zebra", "qqqqqqqqqq", "constructor", "x".repeat(100_000)]) {
    assert.equal(nearestKey(word, known), null, word.slice(0, 20));
  }
  assert.equal(nearestKey("anything", []), null);
});

test("a known key is always its own nearest", () => {
  for (const key of known) assert.equal(nearestKey(key, known), key);
});

const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 6 });

test("the distance is the one that its definition gives", () => {
  fc.assert(
    fc.property(word, word, (a, b) => {
      assert.equal(editDistance(a, b), naiveDistance(a, b));
    }),
    { seed: 7, numRuns: 500 },
  );
});

test("the distance is symmetric, and zero only between equal words", () => {
  fc.assert(
    fc.property(word, word, (a, b) => {
      assert.equal(editDistance(a, b), editDistance(b, a));
      assert.equal(editDistance(a, b) === 0, a === b);
    }),
    { seed: 7, numRuns: 500 },
  );
});

/** By definition, without a table: the best of all ways to treat the last letters. */
function naiveDistance(a: string, b: string): number {
  if (a === "" || b === "") return a.length + b.length;
  const ways = [
    naiveDistance(a.slice(0, -1), b) + 1,
    naiveDistance(a, b.slice(0, -1)) + 1,
    naiveDistance(a.slice(0, -1), b.slice(0, -1)) + (a.at(-1) === b.at(-1) ? 0 : 1),
  ];
  if (a.length > 1 && b.length > 1 && a.at(-1) === b.at(-2) && a.at(-2) === b.at(-1)) {
    ways.push(naiveDistance(a.slice(0, -2), b.slice(0, -2)) + 1);
  }
  return Math.min(...ways);
}
