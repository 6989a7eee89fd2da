import assert from "node:assert/strict";
import { test } from "node:test";
import { assertLinear } from "../../test/support/growth.ts";
import { readExactParts } from "./exact-parts.ts";

test("long runs of anything take time in proportion to the line", () => {
  for (const unit of ["x", "é", "`", "<!-- ", "[[", "](", "[", "~~", "- ", "*", "a.", "#"]) {
    const lineOf = (size: number): string => `Key: ${unit.repeat(size)} end.`;
    assert.equal(readExactParts(lineOf(3)).spellings.has("end"), true);
    assertLinear((size) => readExactParts(lineOf(size)), 4000, unit);
  }
});
