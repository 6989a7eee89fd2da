import assert from "node:assert/strict";
import { test } from "node:test";
import { blankOrigins, dropOrigins, normaliseEntryLine, originsOf } from "./entry-line.ts";
import { createAnalyzer } from "./words/analyze.ts";

const entry = "- We ship on Fridays. <!-- from: tool agent:main:main 14:05 -->";

test("the origin of an entry is neither part of its text nor shown", () => {
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

test("the metadata of a fact is not part of its text, and names its origin", () => {
  const fact =
    "- Prefers tea. <!-- id: 7f3a91c2e04b category: preference importance: 0.8 from: agent 10:00 -->";
  assert.equal(normaliseEntryLine(fact), "Prefers tea.");
  assert.equal(dropOrigins(fact), "- Prefers tea.");
  assert.equal(blankOrigins(fact).trimEnd(), "- Prefers tea.");
  assert.deepEqual(originsOf(fact), ["agent 10:00"]);
  assert.deepEqual(originsOf("- Prefers tea. <!-- id: 7f3a91c2e04b category: preference -->"), []);
});

test("origins give no tokens, and the words around them keep their offsets", () => {
  const blank = blankOrigins(entry);
  assert.equal(blank.length, entry.length);
  assert.equal(blank.trimEnd(), "- We ship on Fridays.");
  const { indexText } = createAnalyzer();
  assert.equal(indexText(entry), indexText("- We ship on Fridays."));
});
