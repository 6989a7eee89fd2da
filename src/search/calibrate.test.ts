import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { aboutScore, calibrateScores } from "./calibrate.ts";

const raw = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 30 });
const termCount = fc.integer({ min: 0, max: 40 });
const unit = fc.double({ min: 0, max: 1, noNaN: true });
const evidence = fc.option(fc.record({ best: unit, chance: unit }), { nil: undefined });

suite("calibrateScores", () => {
  test("keeps scores between 0 and 1, and their order", () => {
    fc.assert(
      fc.property(raw, termCount, evidence, (scores, count, meaning) => {
        const calibrated = calibrateScores(scores, count, meaning);
        assert.equal(calibrated.length, scores.length);
        for (const [i, score] of calibrated.entries()) {
          assert.ok(score >= 0 && score <= 1, `${score}`);
          for (const [j, other] of calibrated.entries()) {
            if (scores[i]! > scores[j]!) assert.ok(score >= other - 1e-12, `${scores[i]} and ${scores[j]}`);
            if (scores[i] === scores[j]) assert.equal(score, other);
          }
        }
      }),
      { seed: 131, numRuns: 1000 },
    );
  });

  test("scores the best independently: later ones do not change it", () => {
    fc.assert(
      fc.property(raw, termCount, (scores, count) => {
        const best = Math.max(...scores);
        const [alone] = calibrateScores([best], count);
        assert.ok(Math.abs(Math.max(...calibrateScores(scores, count)) - alone!) < 1e-12);
      }),
      { seed: 132 },
    );
  });

  test("gives a better match a better score, and requires less of a longer query", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        termCount,
        (a, b, count) => {
          const score = (value: number, terms: number): number => calibrateScores([value], terms)[0]!;
          const [low, high] = [Math.min(a, b), Math.max(a, b)];
          assert.ok(score(low, count) <= score(high, count) + 1e-12);
          assert.ok(score(a, count) <= score(a, count + 1) + 1e-12);
        },
      ),
      { seed: 133 },
    );
  });

  test("lets similarity lift an answer over the threshold if it is better than chance, and never lowers one", () => {
    fc.assert(
      fc.property(
        raw,
        termCount,
        unit,
        fc.double({ min: 0.1, max: 0.9, noNaN: true }),
        (scores, count, best, chance) => {
          const without = Math.max(...calibrateScores(scores, count));
          const lifted = Math.max(...calibrateScores(scores, count, { best, chance }));
          assert.ok(lifted >= without - 1e-12);
          if (best < chance) assert.equal(lifted, without);
        },
      ),
      { seed: 134 },
    );
    const [only] = calibrateScores([0.01], 3, { best: 0.8, chance: 0.4 });
    assert.ok(only! >= aboutScore);
  });

  test("maps 0 to 0 and 1 to 1, with a threshold in between", () => {
    assert.deepEqual(calibrateScores([], 3), []);
    assert.deepEqual(calibrateScores([0, 1], 3), [0, 1]);
    assert.deepEqual(calibrateScores([0, 0], 3), [0, 0]);
    assert.ok(aboutScore > 0 && aboutScore < 1);
    const [best, half, noise] = calibrateScores([0.6, 0.3, 0.01], 3);
    assert.ok(best! > half! && half! >= aboutScore && noise! < aboutScore);
  });

  test("spreads the others evenly between the threshold and the best, and noise evenly below it", () => {
    const close = (scores: readonly number[], expected: readonly number[]): void => {
      for (const [i, score] of scores.entries())
        assert.ok(Math.abs(score - expected[i]!) < 1e-9, `${scores}`);
    };
    close(calibrateScores([1, 0.65, 0.3, 0.15], 3), [1, (1 + aboutScore) / 2, aboutScore, aboutScore / 2]);
    const [best, second, last] = calibrateScores([0.4, 0.26, 0.12], 3);
    close([second!], [(best! + last!) / 2]);
  });

  test("requires half as much of a query of twelve words as of one of three, and no less of longer ones", () => {
    const [border] = calibrateScores([0.11], 3);
    assert.ok(Math.abs(border! - aboutScore) < 1e-9);
    assert.deepEqual(calibrateScores([0.055], 12), [border]);
    assert.deepEqual(calibrateScores([0.055], 40), [border]);
    assert.deepEqual(calibrateScores([0.11], 1), [border]);
  });
});
