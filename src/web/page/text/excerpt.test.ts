import assert from "node:assert/strict";
import { test } from "node:test";
import { excerptAround } from "./excerpt.ts";

test("Lines around one keep their numbers", () => {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`);
  const excerpt = excerptAround(lines, 10, 2).split("\n");
  assert.equal(excerpt[9], "line 10");
  assert.deepEqual(
    excerpt.filter((line) => line !== ""),
    ["line 8", "line 9", "line 10", "line 11", "line 12"],
  );
  assert.equal(excerptAround(lines, 1, 50), lines.join("\n"));
});
