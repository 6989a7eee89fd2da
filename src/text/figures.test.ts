import assert from "node:assert/strict";
import { test } from "node:test";
import { countOf } from "./count-of.ts";
import { drawBar, formatAge, formatBytes, formatDuration } from "./figures.ts";

test("sizes are shown with two or three digits and a unit", () => {
  const shown = [0, 999, 1000, 1540, 9949, 12_345, 999_499, 999_500, 1_500_000, 5e9, 5e15].map(formatBytes);
  assert.deepEqual(shown, [
    "0 B",
    "999 B",
    "1.0 kB",
    "1.5 kB",
    "9.9 kB",
    "12 kB",
    "999 kB",
    "1.0 MB",
    "1.5 MB",
    "5.0 GB",
    "5000 TB",
  ]);
});

test("durations are shown in the unit people would use", () => {
  const shown = [0.04, 3.21, 42.4, 1234, 61_000, 3_600_000].map(formatDuration);
  assert.deepEqual(shown, ["0.0 ms", "3.2 ms", "42 ms", "1.2 s", "1 min 1 s", "60 min 0 s"]);
});

test("ages are rounded down, and a time in the future counts as now", () => {
  const now = new Date("2026-11-15T12:00:00Z");
  const ago = (seconds: number) => formatAge(new Date(now.getTime() - seconds * 1000), now);
  assert.deepEqual([-100, 0, 59, 60, 3599, 7200, 86_400, 15 * 86_400, 40 * 86_400, 800 * 86_400].map(ago), [
    "just now",
    "just now",
    "just now",
    "1 minute ago",
    "59 minutes ago",
    "2 hours ago",
    "1 day ago",
    "2 weeks ago",
    "1 month ago",
    "2 years ago",
  ]);
});

test("counts use the singular or the plural of the noun", () => {
  assert.deepEqual(
    [0, 1, 12_000, -120, -1200].map((count) => countOf(count, "file")),
    ["0 files", "1 file", "12,000 files", "-120 files", "-1,200 files"],
  );
});

test("a bar always has its full width, and is exact to an eighth of a cell", () => {
  assert.deepEqual(
    [-1, 0, 0.5, 1, 7].map((share) => drawBar(share, 4)),
    ["    ", "    ", "██  ", "████", "████"],
  );
  assert.equal(drawBar(1 / 8, 1), "▏");
  for (let share = 0; share <= 1; share += 0.01) assert.equal(drawBar(share, 6).length, 6);
});
