import assert from "node:assert/strict";
import { test } from "node:test";
import { addRecent, parseRecents } from "./recents.ts";

test("The latest search comes first, without duplicates, and at most eight are kept", () => {
  assert.deepEqual(addRecent(["b", "A"], " a "), ["a", "b"]);
  assert.deepEqual(addRecent(["a"], "  "), ["a"]);
  assert.equal(addRecent(["1", "2", "3", "4", "5", "6", "7", "8"], "9").length, 8);
});

test("Invalid stored values are ignored", () => {
  assert.deepEqual(parseRecents(null), []);
  assert.deepEqual(parseRecents("{"), []);
  assert.deepEqual(parseRecents('["a", 1, null]'), ["a"]);
});
