import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom, pairedDifferences } from "./compare.ts";

function close(actual: number, expected: number, within: number): void {
  assert.ok(Math.abs(actual - expected) <= within, `${actual} is not within ${within} of ${expected}`);
}

test("The same difference for every question gives an interval of width zero", () => {
  const [first, second] = pairedDifferences(
    [
      [
        [0.5, 0],
        [0.5, 0],
      ],
    ],
    2,
  );
  assert.deepEqual(first, { difference: 0.5, low: 0.5, high: 0.5, clear: true });
  assert.deepEqual(second, { difference: 0, low: 0, high: 0, clear: false });
});

test("The interval is as wide as theory predicts, and the same in every run", () => {
  const random = createRandom(1);
  const samples = Array.from({ length: 400 }, () => [random() - 0.5]);
  const [found] = pairedDifferences([samples], 1);
  assert.deepEqual(pairedDifferences([samples], 1)[0], found);
  const mean = samples.reduce((sum, [value]) => sum + value!, 0) / 400;
  const deviation = Math.sqrt(samples.reduce((sum, [value]) => sum + (value! - mean) ** 2, 0) / 400);
  const half = (1.96 * deviation) / Math.sqrt(400);
  close(found!.difference, mean, 1e-12);
  close(found!.low, mean - half, 0.003);
  close(found!.high, mean + half, 0.003);
  assert.equal(found!.clear, false);
});

test("A real difference is distinguished from chance", () => {
  const random = createRandom(2);
  const [better] = pairedDifferences([Array.from({ length: 400 }, () => [random() - 0.4])], 1);
  assert.equal(better?.clear, true);
  const [worse] = pairedDifferences([Array.from({ length: 400 }, () => [random() - 0.6])], 1);
  assert.equal(worse?.clear, true);
  assert.ok(worse!.high < 0);
});

test("Groups have equal weight, whatever their size", () => {
  const large = Array.from({ length: 90 }, () => [1]);
  const small = Array.from({ length: 10 }, () => [0]);
  const [found] = pairedDifferences([large, small], 1);
  assert.equal(found?.difference, 0.5);
  close(found!.low, 0.5, 1e-9);
  close(found!.high, 0.5, 1e-9);
});

test("Random numbers are uniformly distributed and depend only on the seed", () => {
  const [one, same, other] = [createRandom(5), createRandom(5), createRandom(6)];
  const counts = new Array(10).fill(0);
  let differs = false;
  for (let i = 0; i < 10_000; i++) {
    const value = one();
    assert.equal(value, same());
    differs ||= value !== other();
    counts[Math.floor(value * 10)]++;
  }
  assert.ok(differs);
  for (const count of counts) close(count, 1000, 150);
});
