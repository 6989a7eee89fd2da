import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { keywordDeviations, lnUpperTail, type Similarities } from "./deviations.ts";
import { createStrengthLearner } from "./embedder-strength.ts";
import {
  type EmbedderTrust,
  estimateKeywordEvidence,
  estimateSemanticEvidence,
  fitTail,
} from "./evidence.ts";

/** Scores that decrease evenly with rank, like those of unrelated chunks. */
const background = (count: number, top: number): number[] =>
  Array.from({ length: count }, (_, rank) => top - 0.05 * Math.log(rank + 1));

/** Similarities of noise: the quantiles of a normal distribution. */
function noise(count: number, { middle = 0, spread = 0.06 } = {}): number[] {
  const quantile = (share: number): number => {
    let [low, high] = [-8, 8];
    for (let step = 0; step < 60; step++) {
      const half = (low + high) / 2;
      if (Math.exp(lnUpperTail(half)) > share) low = half;
      else high = half;
    }
    return low;
  };
  return Array.from({ length: count }, (_, rank) => middle + spread * quantile((rank + 0.5) / count));
}

/** The trust in a new embedder, except for `understanding`. */
const trust = (understanding: number): EmbedderTrust => ({
  understanding,
  strengths: createStrengthLearner().strengths,
  usualSpread: 0,
  reach: 0,
});

const similaritiesOf = (all: readonly number[]) => ({
  best: all.toSorted((a, b) => b - a).slice(0, 40),
  median: all.toSorted((a, b) => b - a)[Math.floor(all.length / 2)]!,
  totalChunks: all.length,
});

suite("estimateKeywordEvidence", () => {
  test("gives a better score more evidence, always, and none to a chunk without words", () => {
    const score = fc.double({ min: 1e-6, max: 1, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(score, { minLength: 1, maxLength: 60 }),
        score,
        score,
        fc.integer({ min: 1, max: 100_000 }),
        fc.boolean(),
        (scores, one, other, more, isComplete) => {
          const evidenceOf = estimateKeywordEvidence(scores, {
            totalChunks: scores.length + more,
            isComplete,
          });
          assert.equal(evidenceOf(0, true), 0);
          const [low, high] = [Math.min(one, other), Math.max(one, other)];
          assert.ok(evidenceOf(low, true) >= 0 && evidenceOf(high, true) < 100);
          assert.ok(evidenceOf(low, true) <= evidenceOf(high, true));
          assert.ok(evidenceOf(high, false) <= evidenceOf(high, true));
        },
      ),
      { seed: 161 },
    );
  });

  test("trusts a score near the best more than one that is as far above the others but not near the best", () => {
    const scores = [0.6, 0.5, ...background(38, 0.2)];
    const near = estimateKeywordEvidence(scores, { totalChunks: 1000, isComplete: false });
    const far = estimateKeywordEvidence([0.9, ...scores], { totalChunks: 1000, isComplete: false });
    assert.ok(near(0.5, true) > far(0.5, true));
  });

  test("trusts a single high score more than the first of many that are near", () => {
    const crowd = estimateKeywordEvidence(background(40, 0.6), { totalChunks: 1000, isComplete: false });
    const alone = estimateKeywordEvidence([0.6, ...background(39, 0.3)], {
      totalChunks: 1000,
      isComplete: false,
    });
    assert.ok(alone(0.6, true) > crowd(0.6, true) + 2);
  });
});

/** With the evidence for a chunk whose keywords say nothing. */
function evidenceFrom(all: Similarities, trusted: EmbedderTrust) {
  const evidence = estimateSemanticEvidence(all, trusted);
  return {
    ...evidence,
    of: (similarity: number): number => evidence.combine({ odds: 1, explained: 0 }, similarity),
    against: -evidence.combine({ odds: 1, explained: 0 }, null),
  };
}

suite("estimateSemanticEvidence", () => {
  test("gives a higher similarity more evidence, whatever is known of the embedder", () => {
    const similarity = fc.double({ min: -1, max: 1, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(similarity, { minLength: 1, maxLength: 60 }),
        similarity,
        similarity,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (all, one, other, understanding) => {
          const { of, against, surprise } = evidenceFrom(similaritiesOf(all), trust(understanding));
          assert.ok(Number.isFinite(of(one)) && of(one) >= -against && Number.isFinite(surprise));
          assert.ok(of(Math.min(one, other)) <= of(Math.max(one, other)) + 1e-9);
        },
      ),
      { seed: 162 },
    );
  });

  test("gives evidence for being above the median, even below the best", () => {
    const { unprovedRatio } = evidenceFrom(similaritiesOf(noise(500)), trust(1));
    const ratios = [0, 0.04, 0.08].map((similarity) => unprovedRatio(similarity, 0));
    assert.ok(ratios[1]! > 1.1 * ratios[0]! && ratios[2]! > 1.1 * ratios[1]!, ratios.join(", "));
  });

  test("depends on neither the scale nor the offset of similarities", () => {
    for (const understanding of [0, 1]) {
      const plain = noise(500);
      const { of } = evidenceFrom(similaritiesOf([...plain, 0.4]), trust(understanding));
      const moved = evidenceFrom(
        similaritiesOf([...plain, 0.4].map((value) => 0.7 + value / 5)),
        trust(understanding),
      );
      for (const value of [0, 0.1, 0.2, 0.4]) {
        assert.ok(Math.abs(moved.of(0.7 + value / 5) - of(value)) < 1e-3, `${value}`);
      }
    }
  });

  test("stays finite if one chunk is similar and all others are equally dissimilar", () => {
    for (const understanding of [0, 0.5, 1]) {
      const { of, unprovedRatio } = evidenceFrom(
        similaritiesOf([1, ...Array(300).fill(0)]),
        trust(understanding),
      );
      assert.ok(Number.isFinite(of(1)) && Number.isFinite(unprovedRatio(1, 0)) && of(1) > of(0) + 3);
    }
  });

  test("gives noise no evidence, and evidence beyond the reach of noise", () => {
    const chance = evidenceFrom(similaritiesOf(noise(500)), trust(0));
    assert.ok(chance.of(0.18) < 1.2 && chance.surprise < 1, `${chance.of(0.18)}`);
    const found = evidenceFrom(similaritiesOf([...noise(500), 0.5]), trust(0));
    assert.ok(found.of(0.5) > 6 && found.surprise > 6);
  });

  test("does not mistake noise for an answer if most chunks share a somewhat similar part", () => {
    const shared = 0.08;
    const all = similaritiesOf(noise(500).map((value) => Math.max(value, shared)));
    const spread = 0.06;
    const found = evidenceFrom(all, { ...trust(0), usualSpread: spread });
    const top = all.best[0]!;
    assert.ok(evidenceFrom(all, trust(0)).of(top) > 3, "without the usual spread it stands out");
    assert.ok(found.of(top) < 1.2 && found.surprise < 1, `${found.of(top)}, ${found.surprise}`);
  });

  test("gives no evidence within the usual reach of unrelated chunks", () => {
    // The best of several vectors: its upper tail is longer than that of a normal distribution.
    const all = similaritiesOf(noise(4000).map((value) => value + 4 * Math.max(0, value - 0.1) ** 2));
    const strengths = [{ shift: 3.5, missed: 0.2, misled: 0.1, weight: 1 }];
    const [top] = all.best;
    const unaware = evidenceFrom(all, { ...trust(0), strengths });
    const aware = evidenceFrom(all, { ...trust(0), strengths, reach: unaware.deviations(top!, 0) });
    assert.ok(unaware.surprise > 0.9 && aware.surprise < 0.7, `${unaware.surprise}, ${aware.surprise}`);
    assert.ok(aware.of(top!) < unaware.of(top!) - 1, `${aware.of(top!)}, ${unaware.of(top!)}`);
    assert.equal(aware.of(all.median), unaware.of(all.median));
    const normal = similaritiesOf(noise(4000));
    const usual = evidenceFrom(normal, { ...trust(0), strengths, reach: 3 });
    assert.equal(usual.of(0.2), evidenceFrom(normal, { ...trust(0), strengths }).of(0.2));
  });

  test("lets a strong embedder count against a chunk, the more the fewer answers it misses", () => {
    const all = similaritiesOf([...noise(500), 0.5]);
    const [few, many] = [0.02, 0.5].map((missed) => {
      const strengths = [
        { shift: 0, missed: 0, misled: 0.1, weight: 0.01 },
        { shift: 5, missed, misled: 0.1, weight: 0.99 },
      ];
      return evidenceFrom(all, { ...trust(0), strengths });
    });
    assert.ok(few!.of(0) < -2.5 && many!.of(0) > -1 && many!.of(0) < 0, `${few!.of(0)}, ${many!.of(0)}`);
    assert.ok(few!.of(0.5) > 6 && many!.of(0.5) > 6);
  });
});

test("the measured spread of one query counts more with more chunks", () => {
  const deviationsAmong = (count: number): number =>
    evidenceFrom(similaritiesOf(noise(count, { spread: 0.05 })), {
      ...trust(0),
      usualSpread: 0.065,
    }).deviations(0.25, 0);
  // With its own spread it would be 5, with the usual one 3.8.
  assert.ok(deviationsAmong(200) < 4.5, `${deviationsAmong(200)}`);
  assert.ok(deviationsAmong(20_000) > 4.8, `${deviationsAmong(20_000)}`);
});

test("similarity within the reach of noise counts little until the embedder has proved its strength", () => {
  const all = similaritiesOf(noise(5000));
  const { best } = all;
  const proved = [
    { shift: 0, missed: 0, misled: 0.1, weight: 0.05 },
    { shift: 5, missed: 0.05, misled: 0.1, weight: 0.95 },
  ];
  const evidence = (strengths: EmbedderTrust["strengths"]): number =>
    evidenceFrom(all, { ...trust(0), strengths }).of(best[0]!);
  assert.ok(evidence(trust(0).strengths) < 3, `${evidence(trust(0).strengths)}`);
  assert.ok(evidence(proved) > 4.5, `${evidence(proved)}`);
});

test("a tail is fitted through the ranks behind the first few", () => {
  const scores = background(40, 0.5);
  const surprise = fitTail(scores, { depth: 30, minScale: 0 });
  for (const rank of [4, 10, 20]) {
    assert.ok(Math.abs(surprise(scores[rank]!) + Math.log(rank + 0.5)) < 0.2, `rank ${rank}`);
  }
  const withAnswer = fitTail([0.9, ...scores], { depth: 30, minScale: 0 });
  assert.ok(withAnswer(0.9) > 5, "an answer does not hide itself");
});

test("an embedder that understands the notes may prove stronger than that", () => {
  const all = similaritiesOf([...noise(500), 0.3]);
  const proved = [
    { shift: 0, missed: 0, misled: 0.05, weight: 0.02 },
    { shift: 3.5, missed: 0.05, misled: 0.4, weight: 0.98 },
  ];
  const evidence = (strengths: EmbedderTrust["strengths"]) => evidenceFrom(all, { ...trust(1), strengths });
  const unproved = evidence(trust(1).strengths);
  assert.ok(evidence(proved).of(0.3) > unproved.of(0.3) + 2);
  assert.ok(unproved.of(0) > -1 && evidence(proved).of(0) < -1, "and counts against what is not similar");
});

test("keywords count less, the more often they mislead", () => {
  const all = similaritiesOf([...noise(500), 0.5]);
  const [seldom, often] = [0.05, 0.7].map((misled) => {
    const strengths = [{ shift: 5, missed: 0.05, misled, weight: 1 }];
    const { combine } = evidenceFrom(all, { ...trust(0), strengths });
    const at = (odds: number): number => combine({ odds, explained: 0 }, 0);
    return at(100) - at(0.1);
  });
  assert.ok(often! < seldom! - 1, `${often}, ${seldom}`);
});

test("similarity that keywords explain is not evidence", () => {
  const all = similaritiesOf([...noise(500), 0.3]);
  for (const understanding of [0, 1]) {
    const { combine, deviations, unprovedRatio } = estimateSemanticEvidence(all, trust(understanding));
    const explained = 0.6 * keywordDeviations(7);
    assert.ok(Math.abs(deviations(0.3, 0) - deviations(0.3, explained) - explained) < 1e-9);
    assert.ok(combine({ odds: 1, explained }, 0.3) < combine({ odds: 1, explained: 0 }, 0.3) - 0.3);
    assert.ok(unprovedRatio(0.3, explained) <= unprovedRatio(0.3, 0));
  }
});

test("in a small index half of the chunks may be answers, so the median is at most that of unrelated texts", () => {
  const deviationsAbove = (median: number): number =>
    evidenceFrom({ best: [0.5, 0.4], median, totalChunks: 10 }, trust(0)).deviations(0.5, 0);
  assert.ok(Math.abs(deviationsAbove(0.4) - 5) < 1e-9, `${deviationsAbove(0.4)}`);
  assert.ok(Math.abs(deviationsAbove(-0.04) - 6) < 1e-9, `${deviationsAbove(-0.04)}`);
});

test("if the best unrelated chunks reach too far, only the excess over the first fifth is scaled", () => {
  const { deviations } = estimateSemanticEvidence(similaritiesOf(noise(60)), { ...trust(0), reach: 4 });
  const plain = estimateSemanticEvidence(similaritiesOf(noise(60)), trust(0)).deviations;
  assert.equal(deviations(0.045, 0), plain(0.045, 0), "0.75 deviations are no more than a fifth exceeds");
  assert.ok(deviations(0.12, 0) < plain(0.12, 0) - 0.3, `${deviations(0.12, 0)}, ${plain(0.12, 0)}`);
});
