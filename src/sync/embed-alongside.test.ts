import assert from "node:assert/strict";
import { test } from "node:test";
import { embedAlongside } from "./embed-runs.ts";
import type { VectorReport } from "./sync.ts";

const report = (embedded: number, problem: string | null = null): VectorReport => ({
  embedded,
  reused: 2,
  problem,
  waiting: 0,
  refused: [],
  durationMs: 10,
});

test("When indexing ends soon, everything is embedded in one pass afterwards", async () => {
  let passes = 0;
  const { embedded } = await embedAlongside(Promise.resolve(), async () => {
    passes++;
    return report(3);
  });
  assert.deepEqual([passes, embedded], [1, 3]);
});

test("While indexing takes long, passes follow each other, and the last begins after indexing has ended", async () => {
  const words = Promise.withResolvers<void>();
  let passes = 0;
  const embed = async () => {
    passes++;
    if (passes === 3) words.resolve();
    return report(100);
  };
  const sum = await embedAlongside(words.promise, embed, { pauseMs: 1 });
  assert.deepEqual([passes, sum.embedded, sum.reused, sum.durationMs], [4, 400, 8, 10]);
});

test("A problem ends it at once, and so does indexing that fails", async () => {
  const never = Promise.withResolvers<void>();
  const failed = await embedAlongside(never.promise, async () => report(1, "down"), { pauseMs: 1 });
  assert.equal(failed.problem, "down");
  const embed = () => assert.fail("nothing is to be embedded");
  const nothing = { embedded: 0, reused: 0, problem: null, waiting: 0, refused: [], durationMs: 0 };
  assert.deepEqual(await embedAlongside(Promise.reject(new Error("no")), embed), nothing);
});

test("a pass that embedded many texts is followed by the next one at once, others by a pause", async () => {
  for (const [embedded, hasPaused] of [
    [63, true],
    [64, false],
  ] as const) {
    const words = Promise.withResolvers<void>();
    let passes = 0;
    let isTurnOver = false;
    const embed = async () => {
      passes++;
      if (passes === 1) {
        setImmediate(() => {
          isTurnOver = true;
        });
      } else if (passes === 2) {
        assert.equal(isTurnOver, hasPaused, `${embedded}`);
        words.resolve();
      }
      return report(embedded);
    };
    await embedAlongside(words.promise, embed, { pauseMs: 5 });
    assert.equal(passes, 3);
  }
});
