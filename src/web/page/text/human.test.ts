import assert from "node:assert/strict";
import { test } from "node:test";
import { formatAgo, formatDay, noteName } from "./human.ts";

test("Days and notes are named for people", () => {
  assert.equal(formatDay("2026-10-14"), "14 Oct 2026");
  assert.equal(formatDay("someday"), "someday");
  assert.equal(noteName("memory/projects/apollo.md"), "apollo");
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
