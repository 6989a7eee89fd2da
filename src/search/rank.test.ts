import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { makeChunk } from "../../test/support/stored-chunk.ts";
import type { StoredChunk } from "../stores/store.ts";
import { aboutScore } from "./calibrate.ts";
import type { MeaningSide } from "./meaning.ts";
import type { Passage } from "./passages.ts";
import { type RankOptions, rankPassages } from "./rank.ts";

const byWord: RankOptions = {
  termCount: 3,
  hasText: true,
  meaning: null,
  blend: { kind: "assist" },
  decay: null,
};
const blends: readonly RankOptions["blend"][] = [
  { kind: "assist" },
  { kind: "weighted", vectorWeight: 0.7, textWeight: 0.3 },
  { kind: "rrf", vectorWeight: 0.7, textWeight: 0.3 },
];

function passage(id: number, score: number, chunk: Partial<StoredChunk> = {}): Passage {
  const stored = makeChunk({ id, path: `memory/${id}.md`, text: "x", ...chunk });
  return {
    chunk: stored,
    lines: stored.lines,
    score,
    isMatched: score > 0,
    contributions: [],
    occurrences: [],
  };
}

/** Meaning with these scores by chunk; an absent one has no vector yet. */
function meaningOf(scores: ReadonlyMap<number, number>): MeaningSide {
  return {
    candidates: [...scores.keys()],
    best: Math.max(0, ...scores.values()),
    chance: 0.4,
    surprise: 0,
    evidenceOf: ({ chunk }) => scores.get(chunk.id) ?? 0,
    against: 0,
    deviationsOf: ({ chunk }) => scores.get(chunk.id) ?? 0,
    scoreOf: ({ chunk }) => scores.get(chunk.id) ?? null,
    judge: async () => {},
    lookCloser: async () => false,
    locate: async ({ lines }) => lines,
  };
}

const idsOf = (ranked: ReturnType<typeof rankPassages>) => ranked.map((each) => each.passage.chunk.id);
const unit = fc.double({ min: 0, max: 1, noNaN: true });
const standings = fc.array(fc.record({ text: unit, vector: fc.option(unit, { nil: null }) }), {
  maxLength: 20,
});

suite("rankPassages", () => {
  test("puts the best first, with scores between 0 and 1, by every blend", () => {
    for (const blend of blends) {
      fc.assert(
        fc.property(standings, fc.boolean(), (some, hasText) => {
          const passages = some.map(({ text }, id) => passage(id, text));
          const vectors = some.flatMap(({ vector }, id) => (vector === null ? [] : [[id, vector] as const]));
          const ranked = rankPassages(passages, {
            ...byWord,
            blend,
            hasText,
            meaning: meaningOf(new Map(vectors)),
          });
          assert.deepEqual(new Set(idsOf(ranked)), new Set(some.keys()));
          let previous = 1;
          for (const {
            score,
            relevance,
            vectorScore,
            textScore,
            passage: { chunk },
          } of ranked) {
            assert.ok(score >= 0 && score <= previous + 1e-12, `${score} after ${previous}`);
            previous = score;
            assert.equal(relevance, score, "nothing decays here");
            assert.equal(vectorScore, some[chunk.id]!.vector);
            assert.equal(textScore === null, !hasText);
          }
        }),
        { seed: 151, numRuns: 300 },
      );
    }
  });

  test("without meaning is the order of the words", () => {
    const ranked = rankPassages([passage(1, 0.2), passage(2, 0.9), passage(3, 0.5)], byWord);
    assert.deepEqual(idsOf(ranked), [2, 3, 1]);
    for (const { score, textScore, vectorScore } of ranked)
      assert.deepEqual([score, vectorScore], [textScore, null]);
  });

  test("puts the newer of equals first, then the path, then the line, in whatever order they come", () => {
    const long = { path: "memory/b.md" };
    const equals = [
      passage(1, 0.5, { path: "memory/c.md" }),
      passage(2, 0.5, { path: "memory/a.md", date: "2026-01-01" }),
      passage(3, 0.5, { path: "memory/z.md", date: "2026-02-01" }),
      passage(4, 0.5, { ...long, lines: { start: 30, end: 30 } }),
      passage(5, 0.5, { ...long, lines: { start: 4, end: 4 } }),
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray(equals, { minLength: equals.length }), (shuffled) => {
        assert.deepEqual(idsOf(rankPassages(shuffled, byWord)), [3, 2, 5, 4, 1]);
      }),
      { seed: 152, numRuns: 50 },
    );
  });

  test("age changes the order, but not what the floor looks at", () => {
    const passages = [
      passage(1, 0.6, { date: "2020-01-01" }),
      passage(2, 0.5, { date: "2026-11-15" }),
      passage(3, 0.4, { date: "2020-01-01", scope: "private" }),
      passage(4, 0.3, { date: "2026-10-16", scope: "private", source: "sessions" }),
    ];
    const fresh = rankPassages(passages, byWord);
    const aged = rankPassages(passages, { ...byWord, decay: { today: "2026-11-15", halfLifeDays: 30 } });
    assert.deepEqual(idsOf(aged), [2, 3, 4, 1]);
    for (const each of aged) {
      const before = fresh.find((other) => other.passage === each.passage)!;
      assert.equal(each.relevance, before.score);
      assert.equal(each.score, before.score * each.decay);
    }
    const decayOf = (id: number) => aged.find((each) => each.passage.chunk.id === id)!.decay;
    assert.equal(decayOf(3), 1, "the long-term memory does not age");
    assert.equal(decayOf(4), 0.5, "a private transcript does");
  });

  test("what one side alone is sure of is never hidden by the other", () => {
    for (const blend of blends.slice(1)) {
      const sides = new Map([
        [1, 0],
        [2, 0.9],
        [3, 0.1],
      ]);
      const ranked = rankPassages([passage(1, 0.8), passage(2, 0), passage(3, 0.05)], {
        ...byWord,
        blend,
        meaning: meaningOf(sides),
      });
      for (const id of [1, 2]) {
        const { relevance } = ranked.find((each) => each.passage.chunk.id === id)!;
        assert.ok(relevance >= aboutScore, `${blend.kind}: ${id} has ${relevance}`);
      }
    }
  });

  test("weights keep the order of what either side is sure of", () => {
    const ranked = rankPassages([passage(1, 0.9), passage(2, 0.8), passage(3, 0.7)], {
      ...byWord,
      blend: { kind: "weighted", vectorWeight: 0.7, textWeight: 0.3 },
      meaning: meaningOf(
        new Map([
          [1, 0],
          [2, 0],
          [3, 0],
        ]),
      ),
    });
    assert.deepEqual(idsOf(ranked), [1, 2, 3]);
    assert.equal(new Set(ranked.map(({ score }) => score)).size, 3, "no two are tied");
  });

  test("meaning that knows nothing changes nothing when it only assists", () => {
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 15 }), (scores) => {
        const passages = scores.map((score, id) => passage(id, score));
        const assisted = rankPassages(passages, {
          ...byWord,
          blend: blends[0]!,
          meaning: meaningOf(new Map()),
        });
        assert.deepEqual(assisted, rankPassages(passages, byWord));
      }),
      { seed: 153 },
    );
  });

  test("has nothing to say about nothing", () => {
    assert.deepEqual(rankPassages([], byWord), []);
  });
});
