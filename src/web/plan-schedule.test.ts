import assert from "node:assert/strict";
import { test } from "node:test";
import { makeMemoryFixture } from "../../test/support/memory-fixture.ts";
import { schedulePlans } from "./serve-web.ts";

test("a plan is made on schedule, and nothing is changed", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const fixture = makeMemoryFixture(t, { "memory/2020-05-05.md": "- Met Ana yesterday.\n" });
  const memory = await fixture.open();
  const { promise, resolve } = Promise.withResolvers<number>();
  const failed: unknown[] = [];
  await using _ = schedulePlans(memory, {
    everyMs: 60_000,
    onPlan: resolve,
    onProblem: (error) => failed.push(error),
  });
  t.mock.timers.tick(60_000);
  assert.equal(await promise, 1);
  assert.deepEqual(failed, []);
  assert.deepEqual(await memory.consolidation.receipts(), []);
});

test("without a schedule no plan is made", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const fixture = makeMemoryFixture(t);
  await using _ = schedulePlans(await fixture.open(), {
    everyMs: 0,
    onPlan: () => assert.fail(),
    onProblem: () => assert.fail(),
  });
  t.mock.timers.tick(10_000_000);
});
