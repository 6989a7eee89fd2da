import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { conflictMarks, mergeLines } from "./merge.ts";

const lines = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 10 });

test("Changes in different places are merged", () => {
  const base = ["one", "two", "three", "four"];
  assert.deepEqual(
    mergeLines(base, ["ONE", "two", "three", "four"], ["one", "two", "three", "four", "five"]),
    {
      lines: ["ONE", "two", "three", "four", "five"],
      conflicts: 0,
    },
  );
});

test("Where both changed the same lines, both versions are between conflict markers", () => {
  assert.deepEqual(mergeLines(["a", "b", "c"], ["a", "mine", "c"], ["a", "theirs", "c"]), {
    lines: ["a", conflictMarks.mine, "mine", conflictMarks.between, "theirs", conflictMarks.theirs, "c"],
    conflicts: 1,
  });
});

test("If only one side changed, its version is the result", () => {
  fc.assert(
    fc.property(lines, lines, (base, changed) => {
      assert.deepEqual(mergeLines(base, changed, base), { lines: changed, conflicts: 0 });
      assert.deepEqual(mergeLines(base, base, changed), { lines: changed, conflicts: 0 });
      assert.deepEqual(mergeLines(base, changed, changed), { lines: changed, conflicts: 0 });
    }),
    { seed: 11, numRuns: 300 },
  );
});

test("A line that somebody added is never lost", () => {
  fc.assert(
    fc.property(lines, lines, lines, (base, mine, theirs) => {
      const merged = new Set(mergeLines(base, mine, theirs).lines);
      for (const line of [...mine, ...theirs]) {
        if (!base.includes(line)) assert.ok(merged.has(line), line);
      }
    }),
    { seed: 12, numRuns: 300 },
  );
});
