import assert from "node:assert/strict";
import { test } from "node:test";
import { heatWeeks } from "./heat-weeks.ts";

const point = (date: string, chunks: number) => ({ date, notes: 1, sessions: 0, chunks });

test("Weeks begin on Monday and end with the last day", () => {
  const weeks = heatWeeks([], { until: "2026-03-04", weeks: 2 });
  assert.deepEqual(
    weeks.map((week) => [week[0]!.day, week.at(-1)!.day, week.length]),
    [
      ["2026-02-23", "2026-03-01", 7],
      ["2026-03-02", "2026-03-04", 3],
    ],
  );
});

test("A day with any chunk differs from an empty one, and the busiest is darkest", () => {
  const points = [point("2026-03-02", 1), point("2026-03-03", 100), point("2026-03-04", 30)];
  const [week] = heatWeeks(points, { until: "2026-03-05", weeks: 1 });
  assert.deepEqual(
    week!.map(({ level }) => level),
    [1, 4, 3, 0],
  );
});

test("Where every day has one chunk, none looks busy", () => {
  const [week] = heatWeeks([point("2026-03-02", 1), point("2026-03-03", 1)], {
    until: "2026-03-03",
    weeks: 1,
  });
  assert.deepEqual(
    week!.map(({ level }) => level),
    [2, 2],
  );
});
