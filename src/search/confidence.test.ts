import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { openSearchFixture } from "../../test/support/search-fixture.ts";
import {
  type ConfidenceFeatures,
  confidenceOf,
  describeConfidence,
  semanticFromEvidence,
  semanticFromScore,
} from "./confidence.ts";

const keyword = {
  score: 0.4,
  background: 0.1,
  words: 4,
  found: 0.75,
  known: 1,
  rarity: 5,
  isUnspaced: false,
};
const weak = { ...keyword, score: 0.05, background: 0.045, found: 0.25, known: 0.5 };

suite("confidenceOf", () => {
  test("rises with every feature of an answer", () => {
    const at = (change: Partial<typeof keyword>, score: number | null = null) =>
      confidenceOf({ keyword: { ...weak, ...change }, semantic: semanticFromScore(score) });
    const base = at({});
    assert.ok(at({ score: 0.1 }) > base);
    assert.ok(at({ background: 0.01 }) > base);
    assert.ok(at({ words: 12 }) > base, "a long query is never matched in every word");
    assert.ok(at({ found: 0.5 }) > base);
    assert.ok(at({ known: 1 }) > base);
    assert.ok(at({ isUnspaced: true }) > base);
    assert.ok(at({ rarity: 9 }) < base, "chance finds more in more notes");
    assert.ok(at({}, 0.5) > at({}, 0.2) && at({}, 0.5) > base && at({}, 0) < base);
  });

  test("is high if all features agree and low if none does", () => {
    assert.equal(describeConfidence({ keyword, semantic: 2 }).confidenceLevel, "high");
    assert.equal(describeConfidence({ keyword: weak, semantic: null }).confidenceLevel, "low");
    assert.deepEqual(describeConfidence(null), { confidence: 0, confidenceLevel: "low" });
  });

  test("believes an embedder only beyond what related text explains", () => {
    const at = (evidence: number) =>
      confidenceOf({ keyword: weak, semantic: semanticFromEvidence(evidence) });
    assert.equal(at(2), confidenceOf({ keyword: weak, semantic: null }));
    assert.ok(at(9) > 0.5);
  });

  test("is a number from 0 to 1 whatever it is given", () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    const features: fc.Arbitrary<ConfidenceFeatures> = fc.record({
      keyword: fc.option(
        fc.record({
          ...{ score: share, background: share, found: share, known: share, isUnspaced: fc.boolean() },
          words: fc.nat(400),
          rarity: fc.double({ min: 0, max: 20, noNaN: true }),
        }),
      ),
      semantic: fc.option(fc.double({ min: -1, max: 6, noNaN: true })),
    });
    fc.assert(
      fc.property(features, (each) => {
        const value = confidenceOf(each);
        assert.ok(value >= 0 && value <= 1);
      }),
    );
  });
});

test("An answer has a confidence", async (t) => {
  const { search } = await openSearchFixture(t, {
    "memory/office.md":
      "The alarm of the office is armed by Ruth at seven.\n\nThe printer takes rolls of 62 mm.",
    "memory/garden.md": "The apple trees are pruned in February.\n\nThe pump of the well was replaced.",
    "memory/trips.md": "We took the night train to Vienna.\n\nThe tram line 2 goes around the old town.",
    "memory/people.md": "Ruth is allergic to hazelnuts.\n\nOmar plays the cello on Thursdays.",
    "memory/money.md": "The fiscal year ends in June.\n\nInvoices are paid within 14 days.",
    "memory/food.md": "The bakery closes at noon.\n\nSoup is better on the second day.",
  });
  const known = await search("who arms the alarm in the office?");
  assert.deepEqual([known.confidenceLevel, known.results[0]?.path], ["high", "memory/office.md"]);
  const unknown = await search("which vaccine does the kennel demand for puppies on the first day?");
  assert.equal(unknown.confidenceLevel, "low");
  // A corrected spelling is a guess.
  const written = await search("who sold the alarm to the museum?");
  const guessed = await search("who sold the alarn to the museum?");
  assert.equal(guessed.results[0]?.path, "memory/office.md");
  assert.ok(guessed.confidence < written.confidence, `${guessed.confidence} < ${written.confidence}`);
  const nothing = await search("zyzzyva qwertz");
  assert.deepEqual([nothing.confidence, nothing.results.length], [0, 0]);
});
