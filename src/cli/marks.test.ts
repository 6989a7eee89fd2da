import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { markRanges } from "./marks.ts";

const bracket = (part: string) => `[${part}]`;

test("ranges are marked in place", () => {
  assert.equal(
    markRanges(
      "we ship on Fridays",
      [
        [3, 7],
        [11, 18],
      ],
      bracket,
    ),
    "we [ship] on [Fridays]",
  );
});

test("overlapping, empty and unordered ranges mark nothing twice", () => {
  assert.equal(
    markRanges(
      "abcdef",
      [
        [2, 4],
        [0, 3],
        [5, 5],
      ],
      bracket,
    ),
    "[abc][d]ef",
  );
});

test("taking the marks away gives the text back", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", " ", "日") });
  const range = fc.tuple(fc.nat(20), fc.nat(20)).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
  fc.assert(
    fc.property(text, fc.array(range), (plain, ranges) => {
      assert.equal(markRanges(plain, ranges, bracket).replace(/[[\]]/g, ""), plain);
    }),
    { seed: 3 },
  );
});
