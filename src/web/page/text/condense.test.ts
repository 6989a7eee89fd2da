import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { condense, type Mark } from "./condense.ts";

test("The lines with marked words are kept with what stands beside them, in their order", () => {
  const snippet = "one\ntwo\nthree ship\nfour\nfive\nsix Friday ship\nseven";
  const marks = [...snippet.matchAll(/ship|Friday/g)].map(
    ({ 0: word, index }): Mark => [index, index + word.length],
  );
  assert.deepEqual(
    condense(snippet, marks, { maxLines: 3 }).map(
      ({ text, followsGap }) => `${followsGap ? "… " : ""}${text}`,
    ),
    ["… three ship", "… five", "six Friday ship"],
  );
});

test("A short snippet stays whole, without its blank lines", () => {
  assert.deepEqual(condense("a\n\nb", [[0, 1]], { maxLines: 5 }), [
    { text: "a", marks: [[0, 1]], followsGap: false },
    { text: "b", marks: [], followsGap: false },
  ]);
});

test("Marks stay on the letters that they were on", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("a", "b", "\n"), maxLength: 30 }),
      fc.array(fc.tuple(fc.nat(30), fc.nat(30)), { maxLength: 4 }),
      fc.integer({ min: 1, max: 4 }),
      (snippet, pairs, maxLines) => {
        const marks = pairs.map(([a, b]): Mark => [Math.min(a, b), Math.max(a, b)]);
        const lines = condense(snippet, marks, { maxLines });
        assert.ok(lines.length <= maxLines);
        for (const { text, marks: own } of lines) {
          assert.ok(snippet.split("\n").includes(text));
          assert.ok(own.every(([from, to]) => 0 <= from && from <= to && to <= text.length));
        }
      },
    ),
    { seed: 8, numRuns: 300 },
  );
});
