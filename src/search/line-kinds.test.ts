import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { kindsOfLines } from "./line-kinds.ts";

const itemsOf = (...lines: string[]) => kindsOfLines(lines).map(({ isItem }) => isItem);

suite("kindsOfLines", () => {
  test("counts sections by their headings", () => {
    const sections = kindsOfLines(["before", "# One", "text", "## Two", "#no heading", "text"]).map(
      (kind) => kind.section,
    );
    assert.deepEqual(sections, [0, 1, 1, 2, 2, 2]);
  });

  test("knows fenced code with its fences, also one that is never closed", () => {
    const fences = (...lines: string[]) => kindsOfLines(lines).map(({ fence }) => fence);
    assert.deepEqual(
      fences("a", "```ts", "# no heading", "```", "b", "~~~", "c", "~~~"),
      [0, 1, 1, 1, 0, 2, 2, 2],
    );
    assert.deepEqual(fences("```", "a", "b"), [1, 1, 1]);
    assert.deepEqual(
      kindsOfLines(["```", "# x", "```", "# y"]).map(({ section }) => section),
      [0, 0, 0, 1],
    );
  });

  test("knows list items and the turns of a talk, with what belongs to them", () => {
    assert.deepEqual(itemsOf("- one", "  goes on", "", "- two", "plain"), [true, true, true, true, false]);
    assert.deepEqual(itemsOf("1. one", "2) two", "* three", "+ four"), [true, true, true, true]);
    assert.deepEqual(itemsOf("Ada: hello", "**Bob:** hi", "[Eve]: hm"), [true, true, true]);
    assert.deepEqual(itemsOf("A sentence. With a colon: here", "plain", "12:30 lunch", "http://x"), [
      false,
      false,
      false,
      false,
    ]);
    assert.deepEqual(itemsOf("```", "- no item", "```"), [false, false, false]);
  });

  test("says something of every line, in time that grows with the text", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary", maxLength: 30 })), (lines) => {
        const kinds = kindsOfLines(lines);
        assert.equal(kinds.length, lines.length);
        for (let i = 1; i < kinds.length; i++) assert.ok(kinds[i]!.section >= kinds[i - 1]!.section);
      }),
      { seed: 141 },
    );
    for (const part of [" ", "#", "-", "`", "a", "*", "1", "[", "漢"]) {
      assert.equal(kindsOfLines([part.repeat(1_000_000), `${part.repeat(1_000_000)}:`]).length, 2);
    }
  });
});
