import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { DocumentSummary } from "../stores/store.ts";
import { timelineOf } from "./timeline.ts";

const documents: fc.Arbitrary<DocumentSummary[]> = fc.array(
  fc.record(
    {
      source: fc.constantFrom("memory" as const, "sessions" as const),
      path: fc.string(),
      chunks: fc.nat(50),
      date: fc.constantFrom("2025-12-31", "2026-01-01", "2026-01-02", "2026-02-01"),
    },
    { requiredKeys: ["source", "path", "chunks"] },
  ),
);

test("Every document is counted once, on its day or month, oldest first", () => {
  fc.assert(
    fc.property(documents, fc.constantFrom("day" as const, "month" as const), (all, by) => {
      const { points, undated } = timelineOf(all, by);
      const keys = ["2025-12-31", "2026-01-01", "2026-01-02", "2026-02-01"].map((day) =>
        by === "day" ? day : day.slice(0, 7),
      );
      const expected = [...new Set(keys)].flatMap((date) => {
        const own = all.filter((each) => each.date?.startsWith(date));
        return own.length === 0 ? [] : [{ date, ...count(own) }];
      });
      assert.deepEqual(points, expected);
      assert.deepEqual(undated, count(all.filter(({ date }) => date === undefined)));
    }),
    { seed: 7 },
  );
});

function count(all: readonly DocumentSummary[]) {
  let [notes, sessions, chunks] = [0, 0, 0];
  for (const each of all) {
    if (each.source === "memory") notes++;
    else sessions++;
    chunks += each.chunks;
  }
  return { notes, sessions, chunks };
}
