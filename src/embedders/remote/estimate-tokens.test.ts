import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { cutToTokens, estimateTokens } from "./estimate-tokens.ts";

test("An estimate is a third above the tokens of prose, and above one token per Chinese character or emoji", () => {
  assert.equal(estimateTokens(""), 0);
  assert.equal(estimateTokens("word ".repeat(60)), 100);
  assert.ok(estimateTokens("東京都".repeat(10)) >= 30);
  assert.ok(estimateTokens("🙂".repeat(10)) >= 20);
});

test("A text is cut to the longest prefix of whole characters that fits", () => {
  const check = fc.property(
    fc.string({ unit: "grapheme", maxLength: 80 }),
    fc.integer({ min: 0, max: 40 }),
    (text, most) => {
      const cut = cutToTokens(text, most);
      assert.ok(text.startsWith(cut) && cut.isWellFormed());
      assert.ok(estimateTokens(cut) <= most);
      const next = [...text.slice(cut.length)][0];
      if (next !== undefined) assert.ok(estimateTokens(cut + next) > most);
    },
  );
  fc.assert(check, { seed: 3, numRuns: 500 });
});
