import assert from "node:assert/strict";
import { test } from "node:test";
import { localTime } from "./local-time.ts";

test("day and time are those of the user's clock, across midnight and the change to summer time", () => {
  const cases: [string, string, string][] = [
    ["2026-03-01T12:34:56Z", "UTC", "2026-03-01 12:34"],
    ["2026-03-01T00:00:00Z", "UTC", "2026-03-01 00:00"],
    ["2026-03-01T23:59:59Z", "UTC", "2026-03-01 23:59"],
    ["2026-03-01T23:30:00Z", "Pacific/Kiritimati", "2026-03-02 13:30"],
    ["2026-03-01T10:00:00Z", "Pacific/Pago_Pago", "2026-02-28 23:00"],
    ["2026-03-29T00:59:00Z", "Europe/Berlin", "2026-03-29 01:59"],
    ["2026-03-29T01:01:00Z", "Europe/Berlin", "2026-03-29 03:01"],
    ["2026-10-25T00:30:00Z", "Europe/Berlin", "2026-10-25 02:30"],
    ["2026-10-25T01:30:00Z", "Europe/Berlin", "2026-10-25 02:30"],
    ["0987-01-05T12:00:00Z", "UTC", "0987-01-05 12:00"],
  ];
  for (const [moment, timezone, expected] of cases) {
    const { day, time } = localTime(new Date(moment), timezone);
    assert.equal(`${day} ${time}`, expected, `${moment} ${timezone}`);
  }
});

test("a time zone that does not exist is named in the error", () => {
  assert.throws(() => localTime(new Date(0), "Mars/Olympus"), {
    code: "config-invalid",
    message: /Mars\/Olympus/,
  });
});

test("the time zone of the system gives the same as its name", () => {
  const name = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  for (const iso of [
    "2026-03-29T00:59:59Z",
    "2026-10-25T01:30:00Z",
    "2026-12-31T23:59:00Z",
    "2024-02-29T12:00:00Z",
  ]) {
    assert.deepEqual(localTime(new Date(iso), null), localTime(new Date(iso), name), iso);
  }
});
