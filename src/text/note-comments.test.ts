import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { hideComments } from "./note-comments.ts";

test("comments are hidden as Obsidian hides them", () => {
  const cases: [string, string][] = [
    ["The lock is blue. %%ask Mara%%", "The lock is blue. "],
    ["- %% draft: 50 % sure %% We take the pump.", "- We take the pump."],
    ["One.\n%%\nnot yet\n%%\nTwo.", "One.\n\n\n\nTwo."],
    ["  %% first\nsecond %%\nThird.", "  \n\nThird."],
    // Neither is a comment.
    ["for %%i in (*.txt) do echo %%i", "for %%i in (*.txt) do echo %%i"],
    ["We are 100%% sure, %% or so", "We are 100%% sure, %% or so"],
    ["a %% b\nc %% d", "a %% b\nc %% d"],
    // Nothing else to show.
    ["%%the hit itself%%", "%%the hit itself%%"],
  ];
  for (const [written, shown] of cases) assert.equal(hideComments(written), shown, written);
});

test("Logseq's internal block properties are hidden, other properties are not", () => {
  const block =
    "- Called Marta\n  id:: 64a0b1c2-0000-4000-8000-000000000001\n  collapsed:: true\n  phone:: 030 99\n";
  assert.equal(hideComments(block), "- Called Marta\n\n\n  phone:: 030 99\n");
  const clock = "- DONE rent\n  :LOGBOOK:\n  CLOCK: [2025-01-01 Wed 10:00]\n  :END:\n- next";
  assert.equal(hideComments(clock), "- DONE rent\n\n\n\n- next");
  assert.equal(
    hideComments("id:: is a field, collapsed:: true or not"),
    "id:: is a field, collapsed:: true or not",
  );
});

test("line numbers, and with `blank` all offsets, stay the same", () => {
  const texts = fc.array(fc.constantFrom("%%", "%", " ", "a", "\n", ".")).map((parts) => parts.join(""));
  fc.assert(
    fc.property(texts, (text) => {
      assert.equal(hideComments(text).split("\n").length, text.split("\n").length);
      const blank = hideComments(text, { blank: true });
      assert.equal(blank.length, text.length);
      for (const [at, letter] of [...blank].entries()) assert.ok(letter === text[at] || letter === " ");
    }),
  );
});
