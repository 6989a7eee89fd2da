import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { makeChunk } from "../../test/support/stored-chunk.ts";
import {
  aboutScore,
  calibrateScores,
  compareStrengths,
  type EvidenceOptions,
  fuseEvidence,
} from "./fuse-evidence.ts";
import type { Passage } from "./passages.ts";

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

/** A passage for each keyword score, the first ones with the identifier, which is the only term. */
function passagesOf(scores: readonly number[], named: number): Passage[] {
  return scores.map((score, id) => {
    const chunk = makeChunk({ id, path: `memory/${id}.md`, text: "x" });
    const contributions = [id < named ? 1 : 0];
    return { chunk, lines: chunk.lines, score, isMatched: score > 0, contributions, occurrences: [] };
  });
}

/** Evidence of 200 chunks, given the deviations and the semantic evidence of some. */
function optionsOf(passages: readonly Passage[], similar: Readonly<Record<number, number>>): EvidenceOptions {
  return {
    termCount: 3,
    hasText: true,
    totalChunks: 200,
    keyword: {
      ids: new Set(passages.filter(({ score }) => score > 0).map(({ chunk }) => chunk.id)),
      isComplete: true,
    },
    identifiers: [0],
    usualCorrelation: 0,
    semantic: {
      combine: ({ odds }, passage) =>
        Math.log(odds) + (passage === null ? 0 : (similar[passage.chunk.id] ?? 0)),
      evidenceOf: ({ chunk }) => similar[chunk.id] ?? 0,
      unprovedRatioOf: () => 1,
      deviationsOf: (id, explained) => (similar[id] ?? 0) - explained,
      surprise: 0,
      nearest: Object.keys(similar)
        .map(Number)
        .sort((a, b) => similar[b]! - similar[a]!),
    },
  };
}

suite("fuseEvidence", () => {
  const firstOf = (passages: readonly Passage[], options: EvidenceOptions): number =>
    fuseEvidence(passages, options).toSorted((a, b) => b.score - a.score)[0]!.index;
  const scores = [0.5, 0.4, 0.38, 0.36, 0.34, 0.32, 0.3, 0];

  test("protects a chunk that has the identifier of the query, but not from a much more certain embedder", () => {
    const [named, plain] = [passagesOf(scores, 1), passagesOf(scores, 0)];
    const keyword = optionsOf(named, {});
    const similar = optionsOf(named, { 7: 9 });
    assert.equal(firstOf(named, keyword), 0);
    assert.equal(firstOf(named, similar), 0);
    assert.equal(firstOf(plain, similar), 7);
    assert.equal(firstOf(named, optionsOf(named, { 7: 14 })), 7);
  });

  test("weighs keyword scores as the builtin model raised them", () => {
    const passages = passagesOf(scores, 0);
    const raised = scores.with(3, 0.9);
    const options = { ...optionsOf(passages, {}), raised };
    assert.equal(firstOf(passages, options), 3);
    assert.deepEqual(
      fuseEvidence(passages, options),
      fuseEvidence(passagesOf(raised, 0), { ...options, raised: undefined }),
    );
  });

  test("ignores keyword scores without keyword search", () => {
    const similar = { 1: 3, 2: 5, 4: 1 };
    const fuse = (some: readonly number[]) => {
      const passages = passagesOf(some, 1);
      const options = optionsOf(passages, similar);
      const semantic = { ...options.semantic, surprise: 5 };
      return fuseEvidence(passages, { ...options, semantic, hasText: false, usualCorrelation: 0.9 });
    };
    const fused = fuse(scores);
    assert.deepEqual(fused, fuse(scores.map(() => 0)));
    assert.deepEqual(
      fused.toSorted((a, b) => b.score - a.score).map(({ index }) => index),
      [2, 1, 4, 0, 3, 5, 6, 7],
    );
  });

  test("keeps the order by similarity where keywords cannot be searched and no chunk exceeds chance", () => {
    const similar = { 1: 3, 2: 5, 4: 1, 6: 0.1 };
    const passages = passagesOf(scores, 0);
    const options = { ...optionsOf(passages, similar), hasText: false };
    for (const surprise of [-3, 0, 5]) {
      const fused = fuseEvidence(passages, { ...options, semantic: { ...options.semantic, surprise } });
      const scoreOf = (chunk: number): number => fused.find(({ index }) => index === chunk)!.score;
      const [best, second, third, unlike] = [scoreOf(2), scoreOf(1), scoreOf(4), scoreOf(6)];
      assert.ok(best > second && second > third && third > aboutScore, `${best}, ${second}, ${third}`);
      assert.ok(unlike > 0 && unlike < aboutScore, `${unlike}`);
      // In proportion to evidence beyond that of a chunk that is hardly similar.
      const border = 0.05 * 5;
      const share = (second - aboutScore) / (best - aboutScore);
      assert.ok(Math.abs(share - (3 - border) / (5 - border)) < 1e-9, `${share}`);
      assert.ok(Math.abs(unlike - (aboutScore * 0.1) / border) < 1e-9, `${unlike}`);
    }
  });

  test("keeps the keyword order if another chunk is better than the one with the identifier", () => {
    const passages = passagesOf(scores.toReversed(), 7);
    assert.equal(firstOf(passages, optionsOf(passages, {})), 7);
  });
});

suite("compareStrengths", () => {
  const strengths = [
    { shift: 0, missed: 0, misled: 0 },
    { shift: 3.5, missed: 0.05, misled: 0.1 },
    { shift: 3.5, missed: 0.8, misled: 0.1 },
  ];
  const passages = passagesOf([0.9, 0.3, 0.28, 0.26, 0.24, 0.22, 0.2, 0], 0);
  const compare = (similar: Readonly<Record<number, number>>): number[] =>
    compareStrengths(passages, optionsOf(passages, similar), strengths);

  test("finds strength in agreement with keywords, and in similarity beyond chance", () => {
    const [chance, strong, missing] = compare({ 0: 4, 7: 2 }) as [number, number, number];
    assert.ok(Math.abs(chance - 1) < 1e-9, `${chance}`);
    assert.ok(strong > missing && missing > 2, `${strong}, ${missing}`);
    const [, elsewhere] = compare({ 7: 6, 1: 2 });
    assert.ok(elsewhere! > 2, `${elsewhere}`);
  });

  test("finds no strength if similarity only follows keywords", () => {
    const follows = { 0: 3, 1: 1.6, 2: 1.5, 3: 1.4, 4: 1.3, 5: 1.2, 6: 1.1 };
    const strengthIn = (usualCorrelation: number, similar: Readonly<Record<number, number>>): number =>
      compareStrengths(passages, { ...optionsOf(passages, similar), usualCorrelation }, strengths)[1]!;
    assert.ok(strengthIn(0, { 0: 3 }) > 2, "the most similar chunk is the best by keywords");
    assert.ok(strengthIn(0.9, follows) < 1, `${strengthIn(0.9, follows)}`);
    assert.ok(
      strengthIn(0.9, { ...follows, 0: 7 }) > 2,
      "similarity that keywords do not explain still counts",
    );
  });

  test("doubts an embedder that misses the answer, and less one that often does", () => {
    const [, strong, missing] = compare({ 7: 2.5, 1: 2 }) as [number, number, number];
    assert.ok(strong < 0.6 && missing > strong && missing < 1, `${strong}, ${missing}`);
  });
});
