import assert from "node:assert/strict";
import { test } from "node:test";
import { nameDay, nameMonth, parseDay, shiftMonth, today, weeksOf } from "./calendar.ts";

test("A month consists of whole weeks that begin on Monday", () => {
  const weeks = weeksOf("2026-03");
  assert.equal(weeks.length, 6);
  assert.deepEqual(
    weeks[0]!.map(({ day }) => day.slice(5)),
    ["02-23", "02-24", "02-25", "02-26", "02-27", "02-28", "03-01"],
  );
  assert.deepEqual(
    weeks
      .flat()
      .filter(({ inMonth }) => inMonth)
      .map(({ number }) => number)
      .at(-1),
    31,
  );
  assert.equal(weeks.flat().filter(({ inMonth }) => inMonth).length, 31);
});

test("February has 29 days in leap years", () => {
  const daysIn = (month: string) =>
    weeksOf(month)
      .flat()
      .filter(({ inMonth }) => inMonth).length;
  assert.equal(daysIn("2028-02"), 29);
  assert.equal(daysIn("2026-02"), 28);
  assert.equal(weeksOf("2027-02").length, 4);
});

test("Months continue across the end of a year", () => {
  assert.equal(shiftMonth("2026-12", 1), "2027-01");
  assert.equal(shiftMonth("2026-01", -1), "2025-12");
  assert.equal(nameMonth("2026-03"), "March 2026");
  assert.equal(nameDay("2026-03-02"), "Monday, 2 March 2026");
  assert.equal(nameDay("nonsense"), "nonsense");
});

test("A date has to exist", () => {
  assert.equal(parseDay(" 2026-03-02 "), "2026-03-02");
  assert.deepEqual(["2026-02-30", "2026-3-2", "", "today"].map(parseDay), [null, null, null, null]);
});

test("Today is the reader's day, wherever UTC is", (t) => {
  const before = process.env["TZ"];
  t.after(() => {
    if (before === undefined) delete process.env["TZ"];
    else process.env["TZ"] = before;
  });
  process.env["TZ"] = "America/New_York";
  assert.equal(today(new Date("2026-03-02T02:00:00Z")), "2026-03-01");
  process.env["TZ"] = "Asia/Tokyo";
  assert.equal(today(new Date("2026-03-01T20:00:00Z")), "2026-03-02");
});
