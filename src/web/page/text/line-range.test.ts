import assert from "node:assert/strict";
import { test } from "node:test";
import { chooseLines, formatLineHash, parseLineHash, splitLines } from "./line-range.ts";

test("Cited lines are parsed from an address and written back", () => {
  assert.deepEqual(parseLineHash("#L5"), { from: 5, to: 5 });
  assert.deepEqual(parseLineHash("#L5-L7"), { from: 5, to: 7 });
  assert.deepEqual(parseLineHash("#L7-5"), { from: 5, to: 7 });
  for (const hash of ["", "#", "#L", "#L0", "#L-3", "#5", "#L5-", "#L5-L7x", "#L9999999999"]) {
    assert.equal(parseLineHash(hash), null, hash);
  }
  assert.equal(formatLineHash({ from: 5, to: 7 }), "#L5-L7");
  assert.equal(formatLineHash({ from: 5, to: 5 }), "#L5");
  assert.equal(formatLineHash(null), "");
});

test("A click selects a line, and a shift-click extends the selection", () => {
  assert.deepEqual(chooseLines(null, 4, { extend: true }), { from: 4, to: 4 });
  assert.deepEqual(chooseLines({ from: 4, to: 4 }, 9, { extend: true }), { from: 4, to: 9 });
  assert.deepEqual(chooseLines({ from: 4, to: 9 }, 2, { extend: true }), { from: 2, to: 4 });
  assert.deepEqual(chooseLines({ from: 4, to: 9 }, 2, { extend: false }), { from: 2, to: 2 });
});

test("A final line break begins no line, and other separators are not line breaks", () => {
  assert.deepEqual(splitLines("a\r\nb\n"), ["a", "b"]);
  assert.deepEqual(splitLines("a\n\n"), ["a", ""]);
  assert.deepEqual(splitLines(""), []);
  assert.deepEqual(splitLines("a\u2028b\rc"), ["a\u2028b\rc"]);
});
