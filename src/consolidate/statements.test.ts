import assert from "node:assert/strict";
import { test } from "node:test";
import { assertLinear } from "../../test/support/growth.ts";
import { readNote } from "./statements.ts";

const read = (text: string) => readNote({ path: "memory/a.md", text, date: null });

test("a statement has the headings above it, without their closing marks", () => {
  const { statements } = read("# One\n\n## Two ##\n\n- The bus leaves at nine.\n\n## C#\n\n- It compiles.\n");
  assert.deepEqual(
    statements.map(({ said, headings }) => [said, ...headings]),
    [
      ["The bus leaves at nine.", "One", "Two"],
      ["It compiles.", "One", "C#"],
    ],
  );
});

test("a long line of any kind takes time in proportion to its length", () => {
  for (const start of ["# a", "- a", "- [ ] a", "a", ""]) {
    for (const unit of [" ", "#", "<!-- ", "- ", "^a ", "=", "`"]) {
      const lineOf = (size: number): string => `${start}${unit.repeat(size)}b\n`;
      assertLinear((size) => read(lineOf(size)), 4000, `${start}${unit}`);
    }
  }
});
