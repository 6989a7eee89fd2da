import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { endOfRequest } from "./plan-request.ts";

test("Requests hold all texts in order, keep to the limits, and are as full as they can be", () => {
  const counts = fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 60 });
  const limits = fc.record({
    items: fc.integer({ min: 1, max: 9 }),
    tokens: fc.integer({ min: 1, max: 80 }),
  });
  const check = fc.property(counts, limits, (tokens, { items, tokens: most }) => {
    const sum = (from: number, to: number) =>
      tokens.slice(from, to).reduce((total, count) => total + count, 0);
    let start = 0;
    while (start < tokens.length) {
      const end = endOfRequest(
        { start, count: tokens.length, tokensOf: (at) => tokens[at]! },
        { items, tokens: most },
      );
      assert.ok(end > start && end <= tokens.length);
      assert.ok(end - start <= items);
      if (end - start > 1) assert.ok(sum(start, end) <= most);
      if (end < tokens.length) assert.ok(end - start === items || sum(start, end + 1) > most);
      start = end;
    }
  });
  fc.assert(check, { seed: 5, numRuns: 500 });
});
