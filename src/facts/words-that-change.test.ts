import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { mayHaveNewsWords, patterns } from "./words-that-change.ts";

const { newsLabel, effectiveStart, ended, now, changed } = patterns();
const parts = [newsLabel, effectiveStart, ...ended, ...now, ...changed].map((part) =>
  part("plain").source.replace(/^\^/, ""),
);
const pattern = new RegExp(parts.join("|"));
// What may not stand beside a word cannot be generated; blanks around it do.
const shape = new RegExp(`^(?:${pattern.source.replaceAll(/\(\?<?!\[[^\]]*\]\)/g, "")})$`);

test("no text with news is passed over by its first letters", () => {
  let found = 0;
  const isFound = (words: string): void => {
    const text = ` ${words} `;
    if (!pattern.test(text)) return;
    found++;
    assert.ok(mayHaveNewsWords(text), text);
  };
  fc.assert(fc.property(fc.stringMatching(shape), isFound), { numRuns: 3000 });
  assert.ok(found > 2000, String(found));
});

test("most lines are passed over", () => {
  for (const line of [
    "we ship on fridays.",
    "the billing timeout is 30 s",
    "nun's island",
    "from anna to ben",
  ]) {
    assert.equal(mayHaveNewsWords(line), line.startsWith("nun"), line);
  }
});
