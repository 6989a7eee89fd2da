import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom } from "../eval/compare.ts";
import { enoughChunks, type Similarities, spreadOf, standardise } from "./deviations.ts";

/** Similarities of unrelated chunks: the median, the best 40, and how many there are. */
function draw(totalChunks: number, { spread, seed }: { spread: number; seed: number }): Similarities {
  const random = createRandom(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const sorted = Array.from({ length: totalChunks }, () => 0.1 + spread * normal()).sort((a, b) => b - a);
  return { best: sorted.slice(0, 40), median: sorted[totalChunks >> 1]!, totalChunks };
}

const samplesOf = (totalChunks: number): Similarities[] =>
  Array.from({ length: 400 }, (_, seed) => draw(totalChunks, { spread: 0.06, seed }));

/** Mean and standard deviation. */
function describe(values: readonly number[]): { mean: number; deviation: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return { mean, deviation: Math.sqrt(variance) };
}

/** The spread that a scale of deviations stands for. */
function spreadBehind(scale: (similarity: number) => number): number {
  return 1 / (scale(1) - scale(0));
}

test("the spread is that of the chunks, whatever their number", () => {
  for (const totalChunks of [40, 200, 1000]) {
    const { mean } = describe(samplesOf(totalChunks).map(spreadOf));
    assert.ok(Math.abs(mean / 0.06 - 1) < 0.04, `${totalChunks}: ${mean}`);
  }
});

test("the spread of a query moves towards the usual one as far as chance explains the difference", () => {
  for (const totalChunks of [100, 200, 1000]) {
    const samples = samplesOf(totalChunks);
    const { mean, deviation } = describe(samples.map(spreadOf));
    const error = deviation / mean;
    const certainty = 0.1 ** 2 / (0.1 ** 2 + error ** 2);
    const own = spreadOf(samples[0]!);
    const usual = 0.9 * own;
    const pooled = spreadBehind(standardise(samples[0]!, usual));
    const found = Math.log(pooled / usual) / Math.log(own / usual);
    assert.ok(Math.abs(found - certainty) < 0.05, `${totalChunks}: ${found} instead of ${certainty}`);
  }
});

test("no query has a much smaller spread than is usual", () => {
  const narrow = draw(5000, { spread: 0.01, seed: 1 });
  assert.ok(Math.abs(spreadBehind(standardise(narrow, 0.06)) - 0.7 * 0.06) < 1e-9);
});

test("the spread is measured where there are enough chunks and some have vectors", () => {
  const measured = draw(enoughChunks, { spread: 0.02, seed: 1 });
  assert.ok(Math.abs(spreadBehind(standardise(measured, 0)) - spreadOf(measured)) < 1e-12);
  assert.equal(standardise(measured, 0)(measured.median), 0);
  const usual = standardise({ best: [], median: 0, totalChunks: 500 }, 0);
  assert.ok(Math.abs(spreadBehind(usual) - 0.09) < 1e-12);
  const one = standardise({ best: [0.4], median: 0.1, totalChunks: 500 }, 0);
  assert.ok(Math.abs(spreadBehind(one) - 0.09) > 0.001, "one similarity is enough");
});
