import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { locateText } from "./locate-passages.ts";

test("a piece is found at its position, the nearest of several", () => {
  const text = "alpha\nbeta\ngamma\nbeta\ndelta\n";
  assert.deepEqual(locateText(text, "gamma\nbeta", null), { start: 3, end: 4 });
  assert.deepEqual(locateText(text, "beta", 0), { start: 2, end: 2 });
  assert.deepEqual(locateText(text, "beta", 17), { start: 4, end: 4 });
  assert.deepEqual(locateText(text, "\n\nbeta\n", null), { start: 2, end: 2 });
});

test("text that no longer exists is not found", () => {
  assert.equal(locateText("alpha\nbeta\n", "beta\ngamma", 6), null);
  assert.equal(locateText("alpha\n", " \n ", 0), null);
  assert.equal(locateText("", "alpha", 0), null);
});

test("the lines of a piece are those that contain it", () => {
  const line = fc.string({ unit: fc.constantFrom("a", "b", " "), maxLength: 4 });
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 8 }),
      fc.nat(20),
      fc.nat(20),
      (lines, from, length) => {
        const text = lines.join("\n");
        const piece = text.slice(from, from + length);
        const found = locateText(text, piece, from);
        if (piece.trim() === "") return assert.equal(found, null);
        assert.ok(found !== null);
        const shown = lines.slice(found.start - 1, found.end).join("\n");
        assert.ok(shown.includes(piece.trim()), JSON.stringify({ text, piece, found }));
        // No more lines than needed.
        assert.equal(found.end - found.start, piece.trim().split("\n").length - 1);
      },
    ),
    { seed: 7, numRuns: 500 },
  );
});
