import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { assessVanished } from "./plan.ts";

const at = (seconds: number): Date => new Date(Date.UTC(2026, 0, 1) + seconds * 1000);
const given = { remembered: null, now: at(0), force: false };

suite("assessVanished", () => {
  test("removes vanished documents while at least half still exist", () => {
    const decision = assessVanished(["a", "b"], { ...given, knownCount: 4 });
    assert.deepEqual(decision, { removed: ["a", "b"], pendingRemovals: [], remember: null });
  });

  test("removes all of up to three documents", () => {
    assert.deepEqual(assessVanished(["a", "b", "c"], { ...given, knownCount: 3 }).removed, ["a", "b", "c"]);
  });

  test("keeps more than half of four or more for now", () => {
    const decision = assessVanished(["a", "b", "c"], { ...given, knownCount: 4 });
    assert.deepEqual(decision.removed, []);
    assert.deepEqual(decision.pendingRemovals, ["a", "b", "c"]);
  });

  test("removes them when forced", () => {
    assert.deepEqual(
      assessVanished(["a", "b", "c"], { ...given, knownCount: 4, force: true }).pendingRemovals,
      [],
    );
  });

  test("removes them when a sync two seconds later misses the same ones, in any order", () => {
    const first = assessVanished(["a", "b", "c"], { ...given, knownCount: 4 });
    const soon = assessVanished(["c", "a", "b"], {
      ...given,
      knownCount: 4,
      remembered: first.remember,
      now: at(1.9),
    });
    assert.deepEqual(soon.pendingRemovals, ["c", "a", "b"]);
    // The first sighting counts, however often they were missed since.
    const later = assessVanished(["a", "b", "c"], {
      ...given,
      knownCount: 4,
      remembered: soon.remember,
      now: at(2),
    });
    assert.deepEqual(later, { removed: ["a", "b", "c"], pendingRemovals: [], remember: null });
  });

  test("starts the wait again when other documents are missing", () => {
    const first = assessVanished(["a", "b", "c"], { ...given, knownCount: 5 });
    const second = assessVanished(["a", "b", "d"], {
      ...given,
      knownCount: 5,
      remembered: first.remember,
      now: at(60),
    });
    assert.deepEqual(second.pendingRemovals, ["a", "b", "d"]);
    const third = assessVanished(["a", "b", "d"], {
      ...given,
      knownCount: 5,
      remembered: second.remember,
      now: at(61),
    });
    assert.deepEqual(third.pendingRemovals, ["a", "b", "d"]);
  });

  test("waits two seconds from the new time when the clock was set back", () => {
    const first = assessVanished(["a", "b", "c"], { ...given, knownCount: 4, now: at(3600) });
    const second = assessVanished(["a", "b", "c"], { ...given, knownCount: 4, remembered: first.remember });
    assert.equal(second.pendingRemovals.length, 3);
    const third = assessVanished(["a", "b", "c"], {
      ...given,
      knownCount: 4,
      remembered: second.remember,
      now: at(2),
    });
    assert.equal(third.pendingRemovals.length, 0);
  });

  test("ignores a remembered value that it cannot parse", () => {
    for (const remembered of ["", "x", "null", "1", "{}", '{"atMs":"1","digest":2}']) {
      assert.equal(
        assessVanished(["a", "b", "c"], { ...given, knownCount: 4, remembered }).pendingRemovals.length,
        3,
      );
    }
  });
});
