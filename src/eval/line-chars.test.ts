import assert from "node:assert/strict";
import { test } from "node:test";
import { createLineChars } from "./line-chars.ts";

test("Characters of a range are counted with one for each line break", () => {
  const charsOf = createLineChars((path) => (path === "a.md" ? "one\nthree\n\n日本" : null));
  const count = (startLine: number, endLine: number, path = "a.md"): number =>
    charsOf({ path, startLine, endLine });
  assert.equal(count(1, 1), 4);
  assert.equal(count(2, 3), 7);
  assert.equal(count(4, 4), 3);
  assert.equal(count(1, 4), 14);
  assert.equal(count(1, 99), 14, "lines that do not exist have no characters");
  assert.equal(count(9, 99), 0);
  assert.equal(count(1, 5, "gone.md"), 0);
});

test("Each text is read once", () => {
  let reads = 0;
  const charsOf = createLineChars(() => {
    reads++;
    return "x\ny";
  });
  for (let line = 1; line <= 5; line++) charsOf({ path: "a.md", startLine: 1, endLine: line });
  assert.equal(reads, 1);
});
