import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { makeChunk } from "../../test/support/stored-chunk.ts";
import { aboutScore } from "./calibrate.ts";
import { compareStrengths, type EvidenceOptions, fuseEvidence } from "./fuse-evidence.ts";
import type { Passage } from "./passages.ts";

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
