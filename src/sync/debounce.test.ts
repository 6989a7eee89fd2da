import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createManualClock } from "../../test/support/manual-clock.ts";
import { createDebounce } from "./debounce.ts";

function callsFor(
  hintsMs: readonly number[],
  { quietMs, maxWaitMs }: { quietMs: number; maxWaitMs: number },
) {
  const clock = createManualClock();
  const calls: number[] = [];
  const debounce = createDebounce({ quietMs, maxWaitMs, clock }, () => calls.push(clock.now()));
  for (const atMs of hintsMs) {
    clock.moveTo(atMs);
    debounce.hint();
  }
  clock.moveTo(1_000_000);
  return calls;
}

/** A reference implementation, burst by burst; a burst begins with the first hint after a call. */
function naiveCalls(
  hintsMs: readonly number[],
  { quietMs, maxWaitMs }: { quietMs: number; maxWaitMs: number },
) {
  const calls: number[] = [];
  let burst: number[] = [];
  const dueMs = () => Math.min(burst.at(-1)! + quietMs, burst[0]! + maxWaitMs);
  for (const atMs of hintsMs) {
    if (burst.length > 0 && dueMs() <= atMs) {
      calls.push(dueMs());
      burst = [];
    }
    burst.push(atMs);
  }
  return burst.length > 0 ? [...calls, dueMs()] : calls;
}

test("a burst of hints causes one call, when it has ended", () => {
  assert.deepEqual(callsFor([0, 100, 200], { quietMs: 1500, maxWaitMs: 4000 }), [1700]);
});

test("a file that is appended to every 400 ms, for ever, causes a call within the maximum wait", () => {
  const hints = Array.from({ length: 50 }, (_, index) => index * 400);
  const calls = callsFor(hints, { quietMs: 1500, maxWaitMs: 4000 });
  assert.equal(calls[0], 4000);
  for (const hint of hints) assert.ok(calls.some((call) => call >= hint && call <= hint + 4000));
});

test("it calls when the reference implementation does, whenever hints come", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 3000 }), { maxLength: 60 }),
      fc.integer({ min: 0, max: 2000 }),
      fc.integer({ min: 0, max: 5000 }),
      (gaps, quietMs, extraMs) => {
        let atMs = 0;
        const hints = gaps.map((gap) => {
          atMs += gap;
          return atMs;
        });
        const times = { quietMs, maxWaitMs: quietMs + extraMs };
        assert.deepEqual(callsFor(hints, times), naiveCalls(hints, times));
      },
    ),
    { seed: 7, numRuns: 300 },
  );
});

test("a cancelled burst causes no call", () => {
  const clock = createManualClock();
  const debounce = createDebounce({ quietMs: 10, maxWaitMs: 100, clock }, () => assert.fail("cancelled"));
  debounce.hint();
  debounce.cancel();
  clock.moveTo(1000);
});
