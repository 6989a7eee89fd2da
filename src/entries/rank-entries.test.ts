import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type EntryEvidence, estimateChance, rankEntries } from "./recall-entries.ts";

const unit = fc.double({ min: 0, max: 1, noNaN: true });
const evidence = fc.record({
  entry: fc.nat(),
  wordScore: fc.option(unit),
  wordShare: unit,
  similarity: fc.option(fc.double({ min: -1, max: 1, noNaN: true })),
  importance: unit,
});

test("scores are in 0..1 and descend, and importance never reverses a clear order", () => {
  fc.assert(
    fc.property(fc.array(evidence), (found) => {
      const ranked = rankEntries(found, { background: 0.05, chance: 0.3, minScore: 0, limit: 100 });
      assert.equal(ranked.length, Math.min(100, found.length));
      for (const [at, { score }] of ranked.entries()) {
        assert.ok(score >= 0 && score <= 1);
        assert.ok(at === 0 || score <= ranked[at - 1]!.score);
      }
    }),
    { seed: 3 },
  );
  const clear: EntryEvidence<string>[] = [
    { entry: "weak but important", wordScore: 0.5, wordShare: 1, similarity: null, importance: 1 },
    { entry: "strong", wordScore: 0.8, wordShare: 1, similarity: null, importance: 0 },
  ];
  const options = { background: 0.05, chance: 0.3, minScore: 0, limit: 1 };
  assert.equal(rankEntries(clear, options)[0]?.entry, "strong");
});

test("semantic search alone answers only above chance, which grows with the number of entries", () => {
  const one = (similarity: number) =>
    rankEntries([{ entry: 1, wordScore: null, wordShare: 0, similarity, importance: 1 }], {
      ...estimateChance([{ similarity }], 20),
      minScore: 0.01,
      limit: 5,
    });
  assert.equal(one(0.2).length, 0);
  assert.equal(one(0.6).length, 1);
  assert.ok(estimateChance([], 10_000).chance > estimateChance([], 10).chance);
  const many = Array.from({ length: 64 }, (_, at) => ({ similarity: 0.9 - at / 100 }));
  assert.ok(
    estimateChance(many, 5000).background > 0.2,
    "a model whose texts are all alike has a higher floor",
  );
});
