import assert from "node:assert/strict";
import { test } from "node:test";
import { parseChoice } from "./ask.ts";

test("numbers, ranges, `all` and an empty answer are parsed", () => {
  assert.deepEqual(parseChoice("2", 3), [2]);
  assert.deepEqual(parseChoice(" 3, 1-2 ,1\r", 3), [1, 2, 3]);
  assert.deepEqual(parseChoice("ALL", 2), [1, 2]);
  for (const none of ["", " ", "none", "n", "No"]) assert.deepEqual(parseChoice(none, 3), []);
});

test("anything else selects nothing and is reported", () => {
  for (const wrong of ["0", "4", "2-1", "1-9", "x", "1;2", "-1", "1e1", "99999999999"]) {
    assert.throws(() => parseChoice(wrong, 3), { code: "usage" }, wrong);
  }
});
