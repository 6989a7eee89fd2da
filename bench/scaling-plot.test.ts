import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { decades, scalingPlot } from "./scaling-plot.ts";

test("the ticks are powers of ten around all numbers, two at least", () => {
  assert.deepEqual(decades([1000, 1_000_000]), [1000, 10_000, 100_000, 1_000_000]);
  assert.deepEqual(decades([0.3, 7]), [0.1, 1, 10]);
  assert.deepEqual(decades([10]), [10, 100]);
});

test("every decade has the same size, and larger values are higher", () => {
  const points = [
    [1000, 1],
    [10_000, 10],
    [100_000, 100],
  ] as const;
  const svg = scalingPlot([{ title: "t", series: [{ name: "n", points }] }], "label");
  const [first, second, third] = circles(svg);
  assert.ok(Math.abs(second!.x - first!.x - (third!.x - second!.x)) < 0.2);
  assert.ok(Math.abs(first!.y - second!.y - (second!.y - third!.y)) < 0.2);
  assert.ok(first!.x < third!.x && first!.y > third!.y);
});

test("every point is inside its panel, whatever the figures", () => {
  const value = fc.double({ min: 1e-3, max: 1e9, noNaN: true });
  const point = fc.tuple(value, value);
  const series = fc.array(fc.record({ name: fc.string(), points: fc.array(point, { minLength: 1 }) }), {
    minLength: 1,
    maxLength: 3,
  });
  fc.assert(
    fc.property(series, (all) => {
      const svg = scalingPlot([{ title: "t", series: all }], "label");
      for (const { x, y } of circles(svg)) assert.ok(x >= 52 && x <= 284 && y >= 84 && y <= 260, `${x} ${y}`);
      assert.ok(!/NaN|Infinity/.test(svg));
    }),
    { seed: 11, numRuns: 100 },
  );
});

test("names are escaped, and a panel without points is left empty", () => {
  const series = [{ name: 'a <b> & "c"', points: [[1, 1]] as const }];
  const svg = scalingPlot(
    [
      { title: "<t>", series },
      { title: "none", series: [] },
    ],
    'say "hi"',
  );
  assert.ok(svg.includes("a &lt;b> &amp; &quot;c&quot;"));
  assert.ok(svg.includes('aria-label="say &quot;hi&quot;"'));
  assert.ok(!svg.includes("<b>"));
});

function circles(svg: string): { x: number; y: number }[] {
  return [...svg.matchAll(/<circle cx="([^"]+)" cy="([^"]+)"/g)].map(([, x, y]) => ({
    x: Number(x),
    y: Number(y),
  }));
}
