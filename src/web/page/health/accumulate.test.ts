import assert from "node:assert/strict";
import { test } from "node:test";
import { accumulate } from "./accumulate.ts";

test("Notes, sessions and passages are added up day by day", () => {
  const growth = accumulate([
    { date: "2026-03-02", notes: 1, sessions: 0, chunks: 3 },
    { date: "2026-03-05", notes: 2, sessions: 1, chunks: 4 },
  ]);
  assert.deepEqual(growth, {
    days: [Date.UTC(2026, 2, 2) / 1000, Date.UTC(2026, 2, 5) / 1000],
    documents: [1, 4],
    chunks: [3, 7],
  });
  assert.deepEqual(accumulate([]), { days: [], documents: [], chunks: [] });
});
