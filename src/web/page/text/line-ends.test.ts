import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { restoreLineEnds, showLineEnds } from "./line-ends.ts";

test("An edit keeps the line breaks of the note, and new lines get the most common one", () => {
  assert.equal(restoreLineEnds("a\nnew\nb\n", "a\r\nb\r\n"), "a\r\nnew\r\nb\r\n");
  assert.equal(restoreLineEnds("a\nb\nc\n", "a\nb\r\nc\n"), "a\nb\r\nc\n");
  assert.equal(restoreLineEnds("a\nb", "a\nb"), "a\nb");
});

test("A note that was not edited stays as it was, and an edit says what was typed", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "\n", "\r", "\r\n"), maxLength: 14 });
  fc.assert(
    fc.property(text, text, (note, typed) => {
      assert.equal(restoreLineEnds(showLineEnds(note), note), note);
      const lines = showLineEnds(typed);
      // Removing an empty line may join two characters into a single line break.
      if (/\r|\n\n/.test(note + lines)) return;
      assert.equal(showLineEnds(restoreLineEnds(lines, note)), lines);
    }),
    { seed: 6, numRuns: 1000 },
  );
});
