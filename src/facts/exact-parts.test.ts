import assert from "node:assert/strict";
import { test } from "node:test";
import { readExactParts } from "./exact-parts.ts";

test("a long word and a long run of backticks are read as fast as other text", () => {
  const startedAt = performance.now();
  for (const letter of ["x", "é", "`"]) {
    const { spellings } = readExactParts(`Key: ${letter.repeat(50_000)} end.`);
    assert.equal(spellings.has("end"), true);
  }
  assert.ok(performance.now() - startedAt < 60_000);
});
