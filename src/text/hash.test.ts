import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { sha256, sha256OfShort } from "./hash.ts";

test("a short text has the SHA-256 that Node computes", () => {
  for (let length = 0; length < 200; length++) {
    const text = "x".repeat(length);
    assert.equal(sha256OfShort(text), sha256(text), `${length} characters`);
  }
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 120 }), (text) => {
      assert.equal(sha256OfShort(text), sha256(text));
    }),
    { seed: 5, numRuns: 500 },
  );
});
