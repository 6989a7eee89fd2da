import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { correlate, density, keywordDeviations } from "./deviations.ts";

test("a keyword deviation is as unlikely as its evidence says, and negative evidence is none", () => {
  for (const evidence of [0, 0.5, 2, 7]) {
    const ratio = density(keywordDeviations(evidence)) / density(0);
    assert.ok(Math.abs(ratio - Math.exp(-evidence)) < 1e-9, `${evidence}: ${ratio}`);
  }
  assert.equal(keywordDeviations(-1), 0);
});

suite("correlate", () => {
  /** Forty chunks whose similarity follows their keywords with this slope, and some answers that exceed it. */
  const chunksWith = (slope: number, answers = 0) =>
    Array.from({ length: 40 }, (_, rank) => {
      const keyword = 3.5 - rank * 0.08;
      const noise = Math.sin(rank * 7);
      return { keyword, similarity: slope * keyword + noise + (rank < answers ? 4 : 0) };
    });

  test("finds how far similarity follows keywords, whether or not answers are among the chunks", () => {
    for (const slope of [0.2, 0.5, 0.8]) {
      assert.ok(Math.abs(correlate(chunksWith(slope), slope) - slope) < 0.1, `${slope}`);
      assert.ok(Math.abs(correlate(chunksWith(slope, 4), slope) - slope) < 0.15, `${slope}, answers`);
    }
  });

  test("relies on the usual correlation if few chunks have a keyword", () => {
    assert.equal(correlate([], 0.6), 0.6);
    const [one, many] = [correlate(chunksWith(0).slice(0, 1), 0.6), correlate(chunksWith(0), 0.6)];
    assert.ok(one > 0.5 && many > 0.1 && many < 0.3, `${one}, ${many}`);
    assert.equal(correlate([{ keyword: 0, similarity: 3 }], 0.6), 0.6, "no keyword, no slope");
  });

  test("takes the slope in the middle of all keyword evidence", () => {
    const weak = (slope: number) => ({ keyword: 0.3, similarity: 0.3 * slope });
    const three = correlate([weak(0.8), weak(0), weak(0.4)], 0);
    assert.ok(Math.abs(three - (3 * 0.4) / 23) < 1e-9, `${three}`);
    const heavy = correlate([weak(0), weak(0), { keyword: 3, similarity: 1.5 }], 0);
    assert.ok(Math.abs(heavy - (3 * 0.5) / 23) < 1e-9, `${heavy}`);
  });

  test("is clamped between 0 and nearly 1", () => {
    assert.equal(correlate(chunksWith(-1), 0), 0);
    assert.equal(correlate(chunksWith(3), 0.9), 0.95);
  });
});
