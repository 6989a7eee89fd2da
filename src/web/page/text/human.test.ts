import assert from "node:assert/strict";
import { test } from "node:test";
import { countOf, formatAgo, formatBytes, formatDay, formatDuration } from "./human.ts";

test("Numbers, sizes and durations are formatted for people", () => {
  assert.equal(countOf(1, "line"), "1 line");
  assert.equal(countOf(12_034, "line"), "12,034 lines");
  assert.equal(formatBytes(812), "812 B");
  assert.equal(formatBytes(4096), "4.1 KB");
  assert.equal(formatBytes(23_400_000), "23 MB");
  assert.equal(formatDuration(0.42), "0.4 ms");
  assert.equal(formatDuration(1300), "1.3 s");
  assert.equal(formatDay("2026-10-14"), "14 Oct 2026");
  assert.equal(formatDay("someday"), "someday");
});

test("A time is shown relative to now", () => {
  const now = new Date("2026-10-14T12:00:00Z");
  assert.equal(formatAgo("2026-10-14T11:59:50Z", now), "just now");
  assert.equal(formatAgo("2026-10-14T11:55:00Z", now), "5 minutes ago");
  assert.equal(formatAgo("2026-10-14T09:00:00Z", now), "3 hours ago");
  assert.equal(formatAgo("2026-10-13T09:00:00Z", now), "yesterday");
  assert.equal(formatAgo("2026-03-02T09:00:00Z", now), "2 Mar 2026");
  assert.equal(formatAgo("nonsense", now), "nonsense");
});
