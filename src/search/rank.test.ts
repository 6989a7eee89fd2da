import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { makeChunk } from "../../test/support/stored-chunk.ts";
import type { StoredChunk } from "../stores/store.ts";
import { aboutScore } from "./calibrate.ts";
import type { Passage } from "./passages.ts";
import { decayFactor, diversify, type RankOptions, rankPassages } from "./rank.ts";
import type { VectorResult } from "./semantic-search.ts";

const byWord: RankOptions = {
  termCount: 3,
  hasText: true,
  vectorResult: null,
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

/** A vector result with these scores by chunk; an absent one has no vector yet. */
function vectorResultOf(scores: ReadonlyMap<number, number>): VectorResult {
  return {
    candidates: [...scores.keys()],
    best: Math.max(0, ...scores.values()),
    chance: 0.4,
    surprise: 0,
    nearest: [],
    combine: ({ odds }, passage) => Math.log(odds) + (passage ? (scores.get(passage.chunk.id) ?? 0) : 0),
    evidenceOf: ({ chunk }) => scores.get(chunk.id) ?? 0,
    unprovedRatioOf: () => 1,
    deviationsOf: (id, explained) => (scores.get(id) ?? 0) - explained,
    scoreOf: ({ chunk }) => scores.get(chunk.id) ?? null,
    loadScores: async () => {},
    rescore: async () => false,
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
            vectorResult: vectorResultOf(new Map(vectors)),
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

  test("follows the weights that a user set", () => {
    const [worded, similar] = [passage(1, 0.9), passage(2, 0.3)];
    const scores = new Map([
      [1, 0.2],
      [2, 0.8],
    ]);
    for (const kind of ["weighted", "rrf"] as const) {
      const firstWith = (vectorWeight: number): number | undefined =>
        idsOf(
          rankPassages([worded, similar], {
            ...byWord,
            blend: { kind, vectorWeight, textWeight: 1 - vectorWeight },
            vectorResult: vectorResultOf(scores),
          }),
        )[0];
      assert.deepEqual([firstWith(0.1), firstWith(0.9)], [1, 2], kind);
    }
  });

  test("without semantic search is in keyword order", () => {
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

  test("age changes the order, but not the score that is compared with the floor", () => {
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

  test("a passage that one search is sure of is never hidden by the other", () => {
    for (const blend of blends.slice(1)) {
      const sides = new Map([
        [1, 0],
        [2, 0.9],
        [3, 0.1],
      ]);
      const ranked = rankPassages([passage(1, 0.8), passage(2, 0), passage(3, 0.05)], {
        ...byWord,
        blend,
        vectorResult: vectorResultOf(sides),
      });
      for (const id of [1, 2]) {
        const { relevance } = ranked.find((each) => each.passage.chunk.id === id)!;
        assert.ok(relevance >= aboutScore, `${blend.kind}: ${id} has ${relevance}`);
      }
    }
  });

  test("weights keep the order of passages that either search is sure of", () => {
    const ranked = rankPassages([passage(1, 0.9), passage(2, 0.8), passage(3, 0.7)], {
      ...byWord,
      blend: { kind: "weighted", vectorWeight: 0.7, textWeight: 0.3 },
      vectorResult: vectorResultOf(
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

  test("semantic search without similar chunks changes nothing in assist mode", () => {
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 15 }), (scores) => {
        const passages = scores.map((score, id) => passage(id, score));
        const assisted = rankPassages(passages, {
          ...byWord,
          blend: blends[0]!,
          vectorResult: vectorResultOf(new Map()),
        });
        assert.deepEqual(assisted, rankPassages(passages, byWord));
      }),
      { seed: 153 },
    );
  });

  test("ranks an empty list", () => {
    assert.deepEqual(rankPassages([], byWord), []);
  });
});

const today = "2026-11-15";
const factor = (date: string | undefined, halfLifeDays = 30) => decayFactor(date, { today, halfLifeDays });
const isNear = (actual: number, wanted: number) => assert.ok(Math.abs(actual - wanted) < 1e-12, `${actual}`);

test("A note keeps half of its score after the half-life, and a quarter after twice that", () => {
  isNear(factor("2026-10-16"), 0.5);
  isNear(factor("2026-09-16"), 0.25);
  isNear(factor("2025-11-15", 365), 0.5);
});

test("Today, the future and notes without a date lose nothing", () => {
  for (const date of [today, "2026-11-16", "2027-01-01", undefined]) assert.equal(factor(date), 1);
});

test("Older notes never keep more, and always something", () => {
  const factors = ["2026-11-14", "2026-11-01", "2026-01-01", "2020-02-29", "1999-12-31"].map((date) =>
    factor(date),
  );
  for (let i = 1; i < factors.length; i++) assert.ok(factors[i]! < factors[i - 1]! && factors[i]! > 0);
});

interface Item {
  readonly id: number;
  readonly score: number;
  readonly words: readonly string[];
}

const spread = (items: readonly Item[], lambda: number) =>
  diversify(items, { lambda, tokensOf: ({ words }) => new Set(words) });

/** The definition without caching between picks. */
function naive(items: readonly Item[], lambda: number): Item[] {
  const likeness = (a: Item, b: Item): number => {
    const all = new Set([...a.words, ...b.words]);
    const shared = [...new Set(a.words)].filter((word) => b.words.includes(word)).length;
    return all.size === 0 ? 1 : shared / all.size;
  };
  const picked: Item[] = [];
  let rest = [...items];
  while (rest.length > 0) {
    const worth = (item: Item) =>
      lambda * item.score - (1 - lambda) * Math.max(0, ...picked.map((other) => likeness(item, other)));
    const most = Math.max(...rest.map(worth));
    const next = rest.find((item) => worth(item) === most)!;
    picked.push(next);
    rest = rest.filter((item) => item !== next);
  }
  return picked;
}

const items = fc
  .array(
    fc.record({
      score: fc.double({ min: 0, max: 1, noNaN: true }),
      words: fc.array(fc.constantFrom("a", "b", "c", "d", "e"), { maxLength: 5 }),
    }),
    { maxLength: 12 },
  )
  .map((all) => all.map((item, id) => ({ ...item, id })));

test("Picks the same items as the definition", () => {
  fc.assert(
    fc.property(items, fc.double({ min: 0, max: 1, noNaN: true }), (all, lambda) => {
      assert.deepEqual(spread(all, lambda), naive(all, lambda));
    }),
    { seed: 71, numRuns: 500 },
  );
});

test("Drops nothing, and with lambda 1 only sorts", () => {
  fc.assert(
    fc.property(items, (all) => {
      const ids = (some: readonly Item[]) => some.map(({ id }) => id);
      assert.deepEqual(new Set(ids(spread(all, 0.7))), new Set(ids(all)));
      assert.deepEqual(ids(spread(all, 1)), ids([...all].sort((a, b) => b.score - a.score)));
    }),
    { seed: 72, numRuns: 200 },
  );
});

test("A near-copy of the best ranks after something else", () => {
  const copy = ["ship", "on", "fridays"];
  const order = spread(
    [
      { id: 1, score: 0.9, words: copy },
      { id: 2, score: 0.89, words: copy },
      { id: 3, score: 0.6, words: ["port", "of", "staging"] },
    ],
    0.5,
  );
  assert.deepEqual(
    order.map(({ id }) => id),
    [1, 3, 2],
  );
});

test("A lambda beyond its range is clamped", () => {
  const all = [
    { id: 1, score: 0.9, words: ["a"] },
    { id: 2, score: 0.8, words: ["a"] },
    { id: 3, score: 0.1, words: ["b"] },
  ];
  assert.deepEqual(spread(all, 1.5), spread(all, 1));
  assert.deepEqual(spread(all, -0.5), spread(all, 0));
});
