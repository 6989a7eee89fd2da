import assert from "node:assert/strict";
import { test } from "node:test";
import { oneAtATime } from "./one-at-a-time.ts";

test("Calls during a run share one more run after it", async () => {
  const began: PromiseWithResolvers<void>[] = [];
  const work = oneAtATime(() => {
    const run = Promise.withResolvers<void>();
    began.push(run);
    return run.promise;
  });
  const first = work();
  const others = [work(), work(), work()];
  assert.equal(began.length, 1);
  began[0]!.resolve();
  await first;
  await Promise.resolve();
  assert.equal(began.length, 2);
  began[1]!.resolve();
  await Promise.all(others);
  assert.equal(began.length, 2);
});

test("A failed run does not block later calls", async () => {
  let runs = 0;
  const work = oneAtATime(async () => {
    runs++;
    if (runs === 1) throw new Error("the first one");
  });
  const [first, second] = await Promise.allSettled([work(), work()]);
  assert.deepEqual([first.status, second.status, runs], ["rejected", "fulfilled", 2]);
  await work();
  assert.equal(runs, 3);
});
