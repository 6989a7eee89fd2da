import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import createIgnore from "ignore";
import { createPlainIgnores, isPlainIgnore } from "./plain-ignores.ts";

const part = fc.constantFrom("a", "b", "c", "notes", "a.md", "b.md", ".hidden", "A", "ä", "x y");

test("plain patterns ignore what gitignore ignores", () => {
  const pattern = fc
    .tuple(fc.constantFrom("", "/"), fc.array(part, { minLength: 1, maxLength: 3 }), fc.constantFrom("", "/"))
    .map(([start, parts, end]) => `${start}${parts.join("/")}${end}`);
  const path = fc.tuple(fc.array(part, { minLength: 1, maxLength: 4 }), fc.constantFrom("", "/"));
  fc.assert(
    fc.property(fc.array(pattern, { minLength: 1, maxLength: 4 }), path, (patterns, [parts, end]) => {
      assert.ok(patterns.every(isPlainIgnore));
      const shown = `${parts.join("/")}${end}`;
      const expected = createIgnore({ ignorecase: false }).add(patterns).ignores(shown);
      assert.equal(createPlainIgnores(patterns).ignores(shown), expected, `${patterns} on ${shown}`);
    }),
    { seed: 3, numRuns: 3000 },
  );
});

test("patterns with wildcards, escapes, comments, negations or dots are not plain", () => {
  for (const pattern of [
    "*.md",
    "a?",
    "[ab]",
    "!a",
    "#a",
    "a\\ ",
    "a ",
    "../a",
    "a/./b",
    "a//b",
    "**/a",
    "",
  ]) {
    assert.equal(isPlainIgnore(pattern), false, pattern);
  }
});
