import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Change } from "./consolidation.ts";
import { composeNote, linesOf } from "./note-set.ts";

const path = "memory/a.md";
const change = (startLine: number, before: string[], after: string[]): Change => ({
  path,
  startLine,
  before,
  after,
});

test("only the lines that a change names differ afterwards", () => {
  const crlf = "a\r\nb\r\nc";
  const cases: [string | null, Change[], string][] = [
    ["a\nb\nc\n", [change(2, ["b"], [])], "a\nc\n"],
    ["a\nb\nc", [change(3, ["c"], ["d"])], "a\nb\nd"],
    ["a\nb\nc", [change(4, [], ["d"])], "a\nb\nc\nd\n"],
    [crlf, [change(2, ["b"], ["x"])], "a\r\nx\r\nc"],
    [crlf, [change(4, [], ["d"])], "a\r\nb\r\nc\r\nd\r\n"],
    ["a\r\nb\nc\r\n", [change(1, ["a"], ["x"])], "x\r\nb\nc\r\n"],
    ["a\nb\n", [change(3, [], ["c"]), change(3, [], ["d"]), change(1, ["a"], [])], "b\nc\nd\n"],
    [
      null,
      [
        { ...change(1, [], ["- x"]), title: "# T" },
        { ...change(1, [], ["- y"]), title: "# T" },
      ],
      "# T\n\n- x\n- y\n",
    ],
    ["a", [change(1, ["a"], [])], ""],
    ["", [change(1, [], ["a"])], "a\n"],
  ];
  for (const [text, changes, expected] of cases) assert.equal(composeNote(text, changes, path), expected);
});

test("a change is refused if its line has changed since the plan", () => {
  assert.throws(() => composeNote("a\nb\n", [change(2, ["x"], [])], path), { code: "note-changed" });
  assert.throws(() => composeNote("a\n", [change(1, ["a", "b"], [])], path), { code: "note-changed" });
});

test("changes of any lines of any note give the result of a naive implementation", () => {
  const piece = fc.constantFrom("a", "é", "- b", "", "\r");
  const end = fc.constantFrom("\n", "\r\n");
  const note = fc.tuple(fc.array(fc.tuple(piece, end), { maxLength: 12 }), piece);
  fc.assert(
    fc.property(note, fc.uniqueArray(fc.nat(11), { maxLength: 5 }), ([body, last], removed) => {
      const text = body.map(([line, eol]) => line + eol).join("") + last;
      const lines = linesOf(text);
      const gone = removed.filter((at) => at < lines.length);
      const result = composeNote(
        text,
        gone.map((at) => change(at + 1, [lines[at]!], [])),
        path,
      );
      const kept = lines.filter((_, at) => !gone.includes(at));
      assert.deepEqual(linesOf(result), kept);
      assert.equal(composeNote(text, [], path), text);
    }),
  );
});
