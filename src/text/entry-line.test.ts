import assert from "node:assert/strict";
import { test } from "node:test";
import { createAnalyser } from "./analyse.ts";
import { blankOrigins, dropOrigins, normaliseEntryLine, originsOf } from "./entry-line.ts";

const entry = "- We ship on Fridays. <!-- from: tool agent:main:main 14:05 -->";

test("where an entry came from is neither part of what it says nor of what is shown", () => {
  assert.equal(normaliseEntryLine(entry), "We ship on Fridays.");
  assert.equal(dropOrigins(entry), "- We ship on Fridays.");
  assert.equal(dropOrigins(`${entry}\n- next`), "- We ship on Fridays.\n- next");
  assert.equal(dropOrigins("<!-- from: web -->\ntext\n\n<!-- from: x -->\nmore"), "text\n\nmore");
  assert.equal(dropOrigins("<!-- other --> stays"), "<!-- other --> stays");
  assert.deepEqual(originsOf(`${entry}\n${entry}\n<!-- from: web -->`), [
    "tool agent:main:main 14:05",
    "web",
  ]);
});

test("origins give no tokens, and the words around them keep their places", () => {
  const blank = blankOrigins(entry);
  assert.equal(blank.length, entry.length);
  assert.equal(blank.trimEnd(), "- We ship on Fridays.");
  const { indexText } = createAnalyser();
  assert.equal(indexText(entry), indexText("- We ship on Fridays."));
});
