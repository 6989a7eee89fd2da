import assert from "node:assert/strict";
import { test } from "node:test";
import { isDay, shiftDay } from "./day.ts";

test("days are added across the ends of months and years, and the changes of the clock", () => {
  assert.equal(shiftDay("2026-10-25", -1), "2026-10-24");
  assert.equal(shiftDay("2026-03-01", -1), "2026-02-28");
  assert.equal(shiftDay("2027-01-01", -1), "2026-12-31");
  assert.equal(shiftDay("2028-03-01", -1), "2028-02-29");
  assert.equal(shiftDay("2026-12-31", 1), "2027-01-01");
  assert.equal(shiftDay("2026-03-02", 365), "2027-03-02");
});

test("a day has to exist, and to be written with all its digits", () => {
  for (const day of ["2026-03-02", "2028-02-29", "0000-01-01"]) assert.ok(isDay(day), day);
  for (const text of ["2026-02-30", "2026-02-29", "2026-13-01", "2026-3-2", " 2026-03-02", "", "today"])
    assert.ok(!isDay(text), text);
});
