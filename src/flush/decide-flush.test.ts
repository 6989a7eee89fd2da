import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { decideFlush, type FlushDecisionInput } from "./decide-flush.ts";

const full: FlushDecisionInput = { totalTokens: 176_000, contextWindow: 200_000 };

test("a flush is due once the tokens reach the window minus the reserve and the soft threshold", () => {
  assert.deepEqual(decideFlush(full), { flush: true, reason: "threshold-reached", threshold: 176_000 });
  assert.equal(decideFlush({ ...full, totalTokens: 175_999 }).reason, "below-threshold");
  assert.equal(
    decideFlush({
      ...full,
      totalTokens: 90,
      contextWindow: 100,
      reserveTokensFloor: 5,
      softThresholdTokens: 5,
    }).flush,
    true,
  );
});

for (const [reason, input] of Object.entries({
  disabled: { enabled: false },
  heartbeat: { heartbeat: true },
  "cli-provider": { cliProvider: true },
  "read-only": { readOnly: true },
  "totals-stale": { totalsFresh: false },
  "totals-unknown": { totalTokens: Number.NaN },
  "no-room": { contextWindow: 24_000 },
  "already-flushed": { compactionCount: 3, memoryFlushCompactionCount: 3 },
} satisfies Record<string, FlushDecisionInput>)) {
  test(`no flush: ${reason}`, () => {
    const decision = decideFlush({ ...full, ...input });
    assert.equal(decision.flush, false);
    assert.equal(decision.reason, reason);
  });
}

test("one flush per compaction: a first one, and another after the next compaction", () => {
  assert.equal(decideFlush({ ...full, compactionCount: 0, memoryFlushCompactionCount: 0 }).flush, false);
  assert.equal(decideFlush({ ...full, memoryFlushCompactionCount: 0 }).flush, false);
  assert.equal(decideFlush({ ...full, compactionCount: 1, memoryFlushCompactionCount: 0 }).flush, true);
  assert.equal(decideFlush({ ...full, compactionCount: 1 }).flush, true);
});

test("a count that is no number is no reason to flush again", () => {
  const compactionCount = Number.NaN;
  assert.equal(decideFlush({ ...full, compactionCount, memoryFlushCompactionCount: 0 }).flush, false);
  assert.equal(decideFlush().reason, "totals-unknown");
});

test("missing or invalid values give a decision, and a flush only above a threshold", () => {
  const count = fc.option(fc.oneof(fc.integer(), fc.double()), { nil: undefined });
  const input = fc.record({
    totalTokens: count,
    contextWindow: count,
    reserveTokensFloor: fc.nat(),
    softThresholdTokens: fc.nat(),
  });
  fc.assert(
    fc.property(input, (given) => {
      const { flush, threshold } = decideFlush(given);
      if (flush) assert.ok(threshold !== null && threshold > 0 && given.totalTokens! >= threshold);
    }),
    { seed: 3 },
  );
});
