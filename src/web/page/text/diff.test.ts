import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { commonRuns, diffLines } from "./diff.ts";

const lines = fc.array(fc.constantFrom("a", "b", "c", "d", ""), { maxLength: 14 });

test("A diff lists removed, added and equal lines with their numbers in both versions", () => {
  assert.deepEqual(diffLines(["one", "two", "three"], ["one", "2", "three", "four"]), [
    { kind: "same", text: "one", left: 1, right: 1 },
    { kind: "removed", text: "two", left: 2 },
    { kind: "added", text: "2", right: 2 },
    { kind: "same", text: "three", left: 3, right: 3 },
    { kind: "added", text: "four", right: 4 },
  ]);
});

test("A diff contains both versions, and no shorter diff exists", () => {
  fc.assert(
    fc.property(lines, lines, (left, right) => {
      const rows = diffLines(left, right);
      assert.deepEqual(
        rows.filter(({ kind }) => kind !== "added").map(({ text }) => text),
        left,
      );
      assert.deepEqual(
        rows.filter(({ kind }) => kind !== "removed").map(({ text }) => text),
        right,
      );
      for (const row of rows) {
        if (row.left !== undefined) assert.equal(left[row.left - 1], row.text);
        if (row.right !== undefined) assert.equal(right[row.right - 1], row.text);
      }
      assert.equal(rows.filter(({ kind }) => kind === "same").length, longestCommon(left, right));
    }),
    { seed: 7, numRuns: 500 },
  );
});

test("Of very different versions, only the common start and end match", () => {
  const left = ["same", ...Array.from({ length: 50 }, (_, index) => `l${index}`), "end"];
  const right = ["same", ...Array.from({ length: 50 }, (_, index) => `r${index}`), "end"];
  assert.deepEqual(commonRuns(left, right, { maxEdits: 10 }), [
    { left: 0, right: 0, length: 1 },
    { left: 51, right: 51, length: 1 },
  ]);
});

/** By the textbook table of longest common subsequences. */
function longestCommon(left: readonly string[], right: readonly string[]): number {
  const table = Array.from({ length: left.length + 1 }, () => new Array<number>(right.length + 1).fill(0));
  for (const [i, a] of left.entries()) {
    for (const [j, b] of right.entries()) {
      table[i + 1]![j + 1] = a === b ? table[i]![j]! + 1 : Math.max(table[i]![j + 1]!, table[i + 1]![j]!);
    }
  }
  return table[left.length]![right.length]!;
}
