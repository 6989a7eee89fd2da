import assert from "node:assert/strict";
import { test } from "node:test";
import { atMost, isFiltering } from "./candidates.ts";

test("a limit is a whole number that a database reads as a limit", () => {
  assert.deepEqual([Number.NaN, -1, 0, 0.9, 1, 24.5].map(atMost), [0, 0, 0, 0, 1, 24]);
  assert.equal(atMost(Number.POSITIVE_INFINITY), 2 ** 31 - 1);
});

test("a filter without a value leaves out nothing", () => {
  for (const filter of [undefined, {}, { sharedOnly: false }]) assert.equal(isFiltering(filter), false);
  for (const filter of [{ paths: [] }, { sharedOnly: true }, { since: "2026-01-01" }])
    assert.equal(isFiltering(filter), true);
});
