import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { computeWindow, scrollToRow } from "./virtual-window.ts";

test("Of ten thousand rows, only those around the viewport are rendered", () => {
  const window = computeWindow({ count: 10_000, rowPx: 30, scrollPx: 150_000, heightPx: 600, overscan: 5 });
  assert.deepEqual(window, { first: 4995, end: 5025, offsetPx: 149_850, totalPx: 300_000 });
});

test("Every visible row is rendered, however the list is scrolled", () => {
  fc.assert(
    fc.property(
      fc.record({
        count: fc.nat(5000),
        rowPx: fc.integer({ min: 10, max: 60 }),
        scrollPx: fc.integer({ min: -50, max: 200_000 }),
        heightPx: fc.nat(1500),
        overscan: fc.nat(10),
      }),
      (state) => {
        const { first, end, offsetPx, totalPx } = computeWindow(state);
        assert.ok(0 <= first && first <= end && end <= state.count);
        assert.equal(offsetPx, first * state.rowPx);
        assert.equal(totalPx, state.count * state.rowPx);
        const top = Math.min(Math.max(state.scrollPx, 0), Math.max(totalPx - state.heightPx, 0));
        for (let row = 0; row < state.count; row++) {
          const isSeen = row * state.rowPx < top + state.heightPx && (row + 1) * state.rowPx > top;
          if (isSeen) assert.ok(first <= row && row < end, `row ${row}`);
        }
        assert.ok(end - first <= Math.ceil(state.heightPx / state.rowPx) + 2 + 2 * state.overscan);
      },
    ),
    { seed: 3, numRuns: 200 },
  );
});

test("A row is scrolled to only if it is not fully visible", () => {
  const state = { count: 100, rowPx: 30, scrollPx: 300, heightPx: 300 };
  assert.equal(scrollToRow(12, state), 300);
  assert.equal(scrollToRow(2, state), 60);
  assert.equal(scrollToRow(20, state), 330);
});
