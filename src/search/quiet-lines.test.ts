import assert from "node:assert/strict";
import { test } from "node:test";
import { firstTextLine, frontMatterLines, isNavigation } from "./quiet-lines.ts";

test("Links with arrows, and links to days, are navigation", () => {
  for (const line of [
    "<< [[2025-03-04]] >>",
    "<< [[2025-03-03]] | [[2025-03-05]] >>",
    "← [yesterday](2025-03-03.md) · [tomorrow](2025-03-05.md) →",
    "[[2025-03-03|Yesterday]] [[2025-03-05|Tomorrow]]".replaceAll(/\|\w+/g, ""),
    "prev: [[Sprint 3]] next: [[Sprint 5]]",
    "**[[Home]]** | [[Projects]] | [[People]]",
    "- [[2025-03-04]]",
  ]) {
    assert.ok(isNavigation(line), line);
  }
});

test("Lines that say something, lists of links and headings are not", () => {
  for (const line of [
    "Talked to [[Ada]] about the move",
    "- [[Ada]]",
    "- [ ] call [[Ada]]",
    "[[Ada]]",
    "# 2025-03-04",
    "2025-03-04",
    "a > b",
    "",
    "[x] done",
  ]) {
    assert.ok(!isNavigation(line), line);
  }
});

test("The text of a chunk begins behind front matter and navigation", () => {
  const text = "---\ntitle: Day\n---\n\n<< [[2025-03-04]] >>\n# Tuesday\nText";
  assert.equal(frontMatterLines({ lines: { start: 1, end: 7 }, text }), 3);
  assert.equal(firstTextLine({ lines: { start: 1, end: 7 }, text }), 6);
  assert.equal(frontMatterLines({ lines: { start: 9, end: 15 }, text }), 0);
  assert.equal(firstTextLine({ lines: { start: 5, end: 5 }, text: "<< [[2025-03-04]] >>" }), 5);
});
