import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { cutIntoParts } from "./marked-parts.ts";

test("Ranges are marked, overlapping ones once", () => {
  assert.deepEqual(
    cutIntoParts("we ship on Friday", [
      [11, 17],
      [3, 7],
      [3, 5],
    ]),
    [
      { text: "we ", isMarked: false },
      { text: "ship", isMarked: true },
      { text: " on ", isMarked: false },
      { text: "Friday", isMarked: true },
    ],
  );
});

test("A character is marked when a range holds it, and none is lost or said twice", () => {
  const range = fc.tuple(fc.nat(12), fc.nat(12)).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
  fc.assert(
    fc.property(fc.string({ maxLength: 10 }), fc.array(range, { maxLength: 5 }), (text, ranges) => {
      const marks = cutIntoParts(text, ranges).flatMap(({ text: part, isMarked }) =>
        part.split("").map((character) => ({ character, isMarked })),
      );
      const expected = text.split("").map((character, index) => ({
        character,
        isMarked: ranges.some(([from, to]) => from <= index && index < to),
      }));
      assert.deepEqual(marks, expected);
    }),
    { seed: 2, numRuns: 300 },
  );
});
