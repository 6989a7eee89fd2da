import assert from "node:assert/strict";
import { test } from "node:test";
import { decayFactor } from "./recency.ts";

const today = "2026-11-15";
const factor = (date: string | undefined, halfLifeDays = 30) => decayFactor(date, { today, halfLifeDays });
const isNear = (actual: number, wanted: number) => assert.ok(Math.abs(actual - wanted) < 1e-12, `${actual}`);

test("A note keeps half of its score after the half-life, and a quarter after twice that", () => {
  isNear(factor("2026-10-16"), 0.5);
  isNear(factor("2026-09-16"), 0.25);
  isNear(factor("2025-11-15", 365), 0.5);
});

test("Today, the future and notes without a date lose nothing", () => {
  for (const date of [today, "2026-11-16", "2027-01-01", undefined]) assert.equal(factor(date), 1);
});

test("Older is never worth more, and always something", () => {
  const factors = ["2026-11-14", "2026-11-01", "2026-01-01", "2020-02-29", "1999-12-31"].map((date) =>
    factor(date),
  );
  for (let i = 1; i < factors.length; i++) assert.ok(factors[i]! < factors[i - 1]! && factors[i]! > 0);
});
