import assert from "node:assert/strict";
import { test } from "node:test";
import { LonghandError } from "../errors.ts";
import { parseDay } from "./parse-day.ts";

for (const [text, today, day] of [
  ["2026-03-01", "2026-11-15", "2026-03-01"],
  ["2024-02-29", "2026-11-15", "2024-02-29"],
  ["today", "2026-11-15", "2026-11-15"],
  ["Yesterday", "2026-03-01", "2026-02-28"],
  ["0d", "2026-11-15", "2026-11-15"],
  ["7d", "2026-01-03", "2025-12-27"],
  ["2w", "2026-11-15", "2026-11-01"],
  ["1m", "2026-03-31", "2026-02-28"],
  ["3m", "2026-01-15", "2025-10-15"],
  ["12m", "2026-07-31", "2025-07-31"],
  ["1y", "2024-02-29", "2023-02-28"],
  ["9999y", "2026-11-15", "0000-11-15"],
  ["9999d", "0001-01-01", "0000-01-01"],
] as const) {
  test(`${text} on ${today} is ${day}`, () =>
    assert.equal(parseDay(text, { option: "--since", today }), day));
}

for (const text of [
  "",
  "soon",
  "2026-02-30",
  "2026-13-01",
  "26-01-01",
  "7",
  "-7d",
  "7days",
  "2026-03-01T00:00:00Z",
]) {
  test(`${JSON.stringify(text)} is refused, and the accepted forms are named`, () => {
    assert.throws(
      () => parseDay(text, { option: "--since", today: "2026-11-15" }),
      (error) =>
        error instanceof LonghandError &&
        error.code === "usage" &&
        error.message.includes("--since") &&
        error.hint.includes("YYYY-MM-DD"),
    );
  });
}
