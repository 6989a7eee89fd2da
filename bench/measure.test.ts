import assert from "node:assert/strict";
import { test } from "node:test";
import { median, medianInTurns, quantile } from "./measure.ts";

test("the median is one of the measured numbers", () => {
  assert.equal(median([9, 1, 5]), 5);
  assert.equal(median([4, 1, 3, 2]), 2);
  assert.equal(quantile([1, 2, 3, 4], 1), 4);
  assert.equal(quantile([1, 2, 3, 4], 0), 1);
  assert.ok(Number.isNaN(median([])));
});

test("candidates are measured in turn, and the first round is discarded", async () => {
  const turns: string[] = [];
  const note = (name: string) => async (round: number) => {
    turns.push(`${name}${round}`);
    return round === 0 ? 1000 : round;
  };
  const medians = await medianInTurns(3, { a: note("a"), b: note("b") });
  assert.deepEqual(turns, ["a0", "b0", "a1", "b1", "a2", "b2", "a3", "b3"]);
  assert.deepEqual(medians, { a: 2, b: 2 });
  turns.length = 0;
  await medianInTurns(1, { a: note("a") }, { warmUp: false });
  assert.deepEqual(turns, ["a1"]);
});
