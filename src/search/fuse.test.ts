import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { type FusionOptions, fuseScores, type Standing } from "./rank.ts";

const both: FusionOptions = {
  fusion: "weighted",
  vectorWeight: 0.7,
  textWeight: 0.3,
  hasText: true,
  hasVector: true,
};
const byRank: FusionOptions = { ...both, fusion: "rrf" };

const side = fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: null });
const standings = fc.array(fc.record({ text: side, vector: side }), { maxLength: 30 });

suite("fuseScores", () => {
  test("keeps a score in full if the other search did not answer", () => {
    const some: Standing[] = [
      { text: 0.4, vector: null },
      { text: 0.9, vector: null },
    ];
    for (const options of [both, byRank]) {
      assert.deepEqual(fuseScores(some, { ...options, hasVector: false }), [0.4, 0.9]);
      const turned = some.map(({ text }) => ({ text: null, vector: text }));
      assert.deepEqual(fuseScores(turned, { ...options, hasText: false }), [0.4, 0.9]);
    }
  });

  test("blends both scores by their weights", () => {
    const [score] = fuseScores([{ text: 0.5, vector: 1 }], both);
    assert.ok(Math.abs(score! - 0.85) < 1e-12);
  });

  test("does not penalize a chunk that only one search has scored", () => {
    const [onlyText, onlyVector] = fuseScores(
      [
        { text: 0.6, vector: null },
        { text: null, vector: 0.6 },
      ],
      both,
    );
    assert.deepEqual([onlyText, onlyVector], [0.6, 0.6]);
    const [best, first] = fuseScores(
      [
        { text: 0.9, vector: null },
        { text: 0.5, vector: 0.9 },
      ],
      byRank,
    );
    assert.equal(best, 1, "first in the only search that found it");
    assert.ok(first! < 1 && first! > 0.9);
  });

  test("with reciprocal ranks, the scale of a search does not matter", () => {
    const some: Standing[] = [
      { text: 0.9, vector: 0.1 },
      { text: 0.8, vector: 0.9 },
      { text: 0.7, vector: 0.5 },
    ];
    const stretched = some.map(({ text, vector }) => ({ text: text! / 100, vector: vector! * 0.9 + 0.1 }));
    assert.deepEqual(fuseScores(some, byRank), fuseScores(stretched, byRank));
    const [equalA, equalB] = fuseScores(
      [
        { text: 0.5, vector: 0.5 },
        { text: 0.5, vector: 0.5 },
      ],
      byRank,
    );
    assert.deepEqual([equalA, equalB], [1, 1], "equal scores share a rank");
  });

  test("stays between 0 and 1, keeps the order of the input, and is monotonic in both scores", () => {
    for (const fusion of ["weighted", "rrf"] as const) {
      fc.assert(
        fc.property(
          standings,
          fc.double({ min: 0, max: 1, noNaN: true }),
          fc.boolean(),
          fc.boolean(),
          (some, weight, hasText, hasVector) => {
            const options = { fusion, vectorWeight: weight, textWeight: 1 - weight, hasText, hasVector };
            const scores = fuseScores(some, options);
            assert.equal(scores.length, some.length);
            for (const score of scores) assert.ok(score >= 0 && score <= 1 + 1e-12, `${score}`);
            const [first, ...rest] = some;
            if (!first || first.text === null) return;
            const raised = fuseScores([{ ...first, text: 1 }, ...rest], options);
            assert.ok(raised[0]! >= scores[0]! - 1e-12);
          },
        ),
        { seed: 61, numRuns: 500 },
      );
    }
  });

  test("is 0 if neither search found the item", () => {
    for (const options of [both, byRank])
      assert.deepEqual(fuseScores([{ text: null, vector: null }], options), [0]);
    assert.deepEqual(fuseScores([], both), []);
  });
});
