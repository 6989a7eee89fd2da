import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { renderInline } from "./render-inline.ts";

const markOf = (text: string, word: string): [number, number] => [
  text.indexOf(word),
  text.indexOf(word) + word.length,
];

test("Emphasis, code and link texts are rendered with the marks inside them", () => {
  const text = "We **ship** with `ship --now`, see [the ship](ship.md) and [[ship|Ship it]].";
  const marks = [...text.matchAll(/ship/g)].map(({ index }): [number, number] => [index, index + 4]);
  assert.equal(
    renderInline(text, marks),
    "We <strong><mark>ship</mark></strong> with <code><mark>ship</mark> --now</code>, see the <mark>ship</mark> and Ship it.",
  );
});

test("Raw HTML, origin comments and hidden characters are shown as in a note", () => {
  assert.equal(renderInline("<img src=x> a"), "&lt;img src=x&gt; a");
  assert.match(renderInline("fact <!-- tool 14:05 -->"), /<span class="origin">tool 14:05<\/span>/);
  assert.match(renderInline("a\u202eb"), /<span class="was-hidden">U\+202E<\/span>/);
});

test("A note's own highlights look different from query words", () => {
  assert.equal(
    renderInline("==Budget== of the launch", [[18, 24]]),
    '<mark class="highlight">Budget</mark> of the <mark>launch</mark>',
  );
});

test("In any line, no sentinel is left and marks enclose the text they marked", () => {
  const piece = fc.constantFrom(
    "**",
    "*",
    "`",
    "[",
    "](x)",
    "[[",
    "]]",
    "==",
    "\ue000",
    "\ue001",
    "<b>",
    " ",
    "a",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), fc.array(piece, { maxLength: 20 }), (before, after) => {
      const text = `${before.join("")}word${after.join("")}`;
      const html = renderInline(text, [markOf(text, "word")]);
      assert.doesNotMatch(html, /[\ue000\ue001]/);
      for (const [, marked] of html.matchAll(/<mark>(.*?)<\/mark>/g)) assert.match(marked!, /word|\S/);
      assert.doesNotMatch(html, /<(?!\/?(?:mark|strong|em|code|s|span)\b)/);
    }),
    { seed: 5, numRuns: 500 },
  );
});
