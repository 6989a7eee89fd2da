import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { makeChunk } from "../../test/support/stored-chunk.ts";
import { type AlignedPassage, raiseScores } from "./assist.ts";
import type { Passage } from "./passages.ts";

const unit = fc.double({ min: 0, max: 1, noNaN: true });

function passage(score: number): Passage {
  const chunk = makeChunk({ id: 1, path: "memory/a.md", text: "text" });
  return { chunk, lines: chunk.lines, score, isMatched: true, contributions: [], occurrences: [] };
}

function raise(score: number, said: Partial<AlignedPassage>, knownShare = 1, termCount = 3): number {
  const one = passage(score);
  const aligned = new Map([[one, { covered: 0, contrast: 0, ...said }]]);
  return raiseScores([one], { termCount, knownShare, aligned })[0]!;
}

suite("raiseScores", () => {
  test("leaves scores alone without a comparison, and where the model knows no word", () => {
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 20 }), (scores) => {
        const passages = scores.map(passage);
        assert.deepEqual(raiseScores(passages, { termCount: 3, knownShare: 1 }), scores);
      }),
      { seed: 311 },
    );
    assert.equal(raise(0.3, { covered: 1, contrast: 1 }, 0), 0.3);
  });

  test("raises a score more, the more of the query similar words cover, and lowers it by negative contrast", () => {
    fc.assert(
      fc.property(fc.double({ min: 0.05, max: 0.95, noNaN: true }), unit, unit, (score, a, b) => {
        const [less, more] = [Math.min(a, b), Math.max(a, b)];
        assert.ok(raise(score, { covered: less }) <= raise(score, { covered: more }));
        assert.ok(raise(score, { covered: more }) >= score);
        assert.ok(raise(score, { contrast: -more }) <= score);
      }),
      { seed: 312 },
    );
    assert.ok(raise(0.3, { covered: 0.5 }) > 0.35);
  });

  test("raises medium scores more than good ones, and less with words that the model does not know", () => {
    const gain = (score: number, knownShare?: number): number =>
      raise(score, { covered: 0.5 }, knownShare) - score;
    assert.ok(gain(0.4) > 2 * gain(0.9));
    assert.ok(gain(0.4) > 3 * gain(0.4, 0.5));
  });
});
