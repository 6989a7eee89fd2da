import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { findEntry } from "./find-entry.ts";

test("the first place where an entry stands is found, as a plain comparison would", () => {
  const line = fc.constantFrom("a", "- a", "b", " b  ", "", "  ", "a <!-- from: x 10:00 -->");
  const plain = (each: string) => each.replace("<!-- from: x 10:00 -->", "").trim().replace(/^- /, "");
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 12 }),
      fc.array(line, { minLength: 1, maxLength: 4 }),
      (lines, entry) => {
        const wanted = entry.map(plain).filter((each) => each !== "");
        const present = lines
          .map((each, index) => ({ text: plain(each), number: index + 1 }))
          .filter(({ text }) => text !== "");
        const first = present.findIndex((_, at) =>
          wanted.every((text, offset) => present[at + offset]?.text === text),
        );
        const expected =
          wanted.length === 0 || first === -1
            ? null
            : { start: present[first]!.number, end: present[first + wanted.length - 1]!.number };
        assert.deepEqual(findEntry(lines, entry.join("\n"), [{ start: 1, end: lines.length }]), expected);
      },
    ),
    { seed: 20260301, numRuns: 3000 },
  );
});

test("only the given lines are searched", () => {
  const lines = ["x", "y", "x"];
  assert.equal(findEntry(lines, "x", []), null);
  assert.equal(findEntry(lines, "x", [{ start: 2, end: 2 }]), null);
  assert.deepEqual(findEntry(lines, "x", [{ start: 2, end: 3 }]), { start: 3, end: 3 });
});

test("an entry that repeats itself against a note that repeats it takes linear time", () => {
  const lines = Array.from({ length: 200_000 }, () => "a");
  assert.equal(findEntry(lines, `${"a\n".repeat(30_000)}b`, [{ start: 1, end: lines.length }]), null);
});
