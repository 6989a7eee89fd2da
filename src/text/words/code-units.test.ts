import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createCodeUnits, endMark } from "./code-units.ts";

test("gives the code units of each text in turn, with two marks after the last", () => {
  const unitsOf = createCodeUnits();
  const text = fc.oneof(fc.string({ unit: "binary" }), fc.string({ minLength: 5000, maxLength: 9000 }));
  fc.assert(
    fc.property(fc.array(text, { maxLength: 4 }), (texts) => {
      for (const each of texts) {
        const expected = Array.from({ length: each.length }, (_, at) => each.charCodeAt(at));
        const found = unitsOf(each).subarray(0, each.length + 2);
        assert.deepEqual([...found], [...expected, endMark, endMark]);
      }
    }),
    { seed: 3, numRuns: 200 },
  );
  assert.deepEqual([...unitsOf("a\ud800").subarray(0, 3)], [0x61, 0xd800, endMark], "half of a character");
});
