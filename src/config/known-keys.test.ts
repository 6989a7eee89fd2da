import assert from "node:assert/strict";
import { test } from "node:test";
import { nearestKey } from "./known-keys.ts";

const known = ["maxResults", "minScore", "maxSnippetChars", "hybrid", "enabled"];

test("a typo finds the intended key", () => {
  for (const slip of ["maxResult", "maxresults", "max_results", "max-results", "mxaResults", "maxResutls"]) {
    assert.equal(nearestKey(slip, known), "maxResults", slip);
  }
  assert.equal(nearestKey("minscor", known), "minScore");
  assert.equal(nearestKey("enable", known), "enabled");
});

test("a word that resembles no key finds none", () => {
  for (const word of ["", "zebra", "qqqqqqqqqq", "constructor", "x".repeat(100_000)]) {
    assert.equal(nearestKey(word, known), null, word.slice(0, 20));
  }
  assert.equal(nearestKey("anything", []), null);
});

test("a known key is always its own nearest", () => {
  for (const key of known) assert.equal(nearestKey(key, known), key);
});
