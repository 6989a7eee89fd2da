import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { pairRows } from "./pair-rows.ts";

test("Replaced lines are aligned, and the longer side continues alone", () => {
  assert.deepEqual(pairRows(["a", "b", "c"], ["a", "x", "y", "c"]), [
    { left: { line: 1, text: "a" }, right: { line: 1, text: "a" }, isSame: true },
    { left: { line: 2, text: "b" }, right: { line: 2, text: "x" }, isSame: false },
    { right: { line: 3, text: "y" }, isSame: false },
    { left: { line: 3, text: "c" }, right: { line: 4, text: "c" }, isSame: true },
  ]);
});

test("Each side is complete and in order", () => {
  const lines = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 12 });
  fc.assert(
    fc.property(lines, lines, (left, right) => {
      const rows = pairRows(left, right);
      assert.deepEqual(
        rows.flatMap((row) => row.left?.text ?? []),
        left,
      );
      assert.deepEqual(
        rows.flatMap((row) => row.right?.text ?? []),
        right,
      );
      assert.ok(rows.every((row) => row.isSame === (row.left?.text === row.right?.text)));
    }),
    { seed: 4, numRuns: 300 },
  );
});
