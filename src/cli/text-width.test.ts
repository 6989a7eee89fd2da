import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { displayWidth, padEnd, wrapLine, wrapText } from "./text-width.ts";

test("wide letters take two columns and marks take none", () => {
  const widths = ["abc", "日本語", "한국", "café", "cafe\u0301", "🚀", "a\u200db", "a\u00adb", ""].map(
    displayWidth,
  );
  assert.deepEqual(widths, [3, 6, 4, 4, 4, 2, 2, 2, 0]);
});

test("padding counts columns, not characters", () => {
  assert.equal(padEnd("日本", 6), "日本  ");
  assert.equal(padEnd("too long", 3), "too long");
});

test("lines break at spaces, and a long word is split", () => {
  assert.deepEqual(wrapLine("we ship on Fridays only", 10), ["we ship on", "Fridays", "only"]);
  assert.deepEqual(wrapLine("abcdefghij klm", 4), ["abcd", "efgh", "ij", "klm"]);
  assert.deepEqual(wrapLine("毎週金曜日に出荷", 6), ["毎週金", "曜日に", "出荷"]);
  assert.deepEqual(wrapLine("", 5), [""]);
});

test("continuation lines of an indented line or a list item are indented like its text", () => {
  assert.deepEqual(wrapLine("  - one two three", 9), ["  - one", "    two", "    three"]);
  assert.deepEqual(wrapLine("12. one two", 8), ["12. one", "    two"]);
});

test("wrapping keeps every character but spaces, and no line is too wide", () => {
  const line = fc
    .array(fc.constantFrom("a", "bc", " ", "  ", "日", "🚀", "word", "-", "longerword", "- "))
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(line, fc.integer({ min: 2, max: 20 }), (text, width) => {
      const lines = wrapLine(text, width);
      assert.equal(lines.join("").replace(/\s/g, ""), text.replace(/\s/g, ""));
      for (const part of lines) assert.ok(displayWidth(part.trimEnd()) <= width, JSON.stringify(part));
    }),
    { seed: 11 },
  );
});

test("colours and links have no width", () => {
  assert.equal(displayWidth("\u001b[1m\u001b[36mab\u001b[39m\u001b[22m"), 2);
  assert.equal(displayWidth("\u001b]8;;file:///x\u001b\\ab\u001b]8;;\u001b\\"), 2);
});

test("text breaks between words, and text to copy stays whole", () => {
  assert.equal(
    wrapText("hint: use `longhand index --force` now", 20),
    "hint: use\n`longhand index --force`\nnow",
  );
  assert.equal(
    wrapText("The next search does it; to do so now: longhand index --force", 40),
    "The next search does it; to do so now:\nlonghand index --force",
  );
  assert.equal(
    wrapText("https://example.com/a/long/address ok", 10),
    "https://example.com/a/long/address\nok",
  );
  assert.equal(wrapText("short\n", 10), "short\n");
});

test("the rest of a row is printed below its second column", () => {
  assert.equal(
    wrapText("  embedder    builtin, and nothing is sent", 30),
    "  embedder    builtin, and\n              nothing is sent",
  );
});
