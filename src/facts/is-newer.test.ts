import assert from "node:assert/strict";
import { test } from "node:test";
import { dayWritten, isNewer } from "./is-newer.ts";

const memory = { path: "MEMORY.md", line: 4, text: "- We ship on Fridays." };
const daily = { path: "memory/2026-09-14.md", line: 2, text: "- We ship on Tuesdays.", date: "2026-09-14" };

interface Line {
  readonly path: string;
  readonly line: number;
  readonly text: string;
  readonly date?: string;
  readonly isNews?: boolean;
}

function newerOf(one: Line, other: Line): "left" | "right" | null {
  const [left, right] = [one, other].map(({ path, line, text, date, isNews = false }) => ({
    ...{ path, line, isNews },
    day: dayWritten(text, date),
  })) as [Parameters<typeof isNewer>[0], Parameters<typeof isNewer>[1]];
  const [isLeft, isRight] = [isNewer(left, right), isNewer(right, left)];
  assert.ok(!(isLeft && isRight));
  return isLeft ? "left" : isRight ? "right" : null;
}

test("of two dated lines, the one with the later day is newer", () => {
  const earlier = { ...daily, path: "memory/2026-03-02.md", date: "2026-03-02" };
  assert.equal(newerOf(earlier, daily), "right");
  assert.equal(newerOf(daily, earlier), "left");
});

test("a date before a line counts more than that of its note", () => {
  const dated = { ...memory, text: "- 2026-10-01: We ship on Mondays." };
  assert.equal(newerOf(dated, daily), "left");
});

test("within a note the lower line is newer", () => {
  assert.equal(newerOf(memory, { ...memory, line: 9 }), "right");
});

test('a line that says "now" is newer than an undated one that does not', () => {
  assert.equal(newerOf(memory, { ...daily, isNews: true }), "right");
  assert.equal(newerOf({ ...memory, isNews: true }, { ...daily, isNews: true }), null);
});

test("without evidence neither line is newer", () => {
  assert.equal(newerOf(memory, daily), null);
});

test("a date after a line counts if its note has none", () => {
  const promoted = { ...memory, text: "- We ship on Tuesdays now. (2026-10-19)" };
  assert.equal(newerOf(promoted, daily), "left");
  assert.equal(newerOf(promoted, { ...daily, date: "2026-11-02" }), "right");
});
