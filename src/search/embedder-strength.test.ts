import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { openSearchFixture } from "../../test/support/search-fixture.ts";
import {
  createStrengthLearner,
  createStrengthLearners,
  type StrengthLearner,
  trustUnderstanding,
} from "./embedder-strength.ts";
import { likelihoodRatio } from "./evidence.ts";

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

/** The likelihoods of a query whose answer, which keywords are sure of, has this many deviations. */
function likelihoodsAt(learner: StrengthLearner, deviations: number): number[] {
  return learner.strengths.map(
    ({ shift, missed }) => 0.8 * (missed + (1 - missed) * likelihoodRatio(deviations, shift)) + 0.2,
  );
}

const missedOf = (learner: StrengthLearner): number =>
  sumOf(learner.strengths.map(({ shift, missed, weight }) => (shift < 2 ? 0 : weight * missed))) /
  sumOf(learner.strengths.map(({ shift, weight }) => (shift < 2 ? 0 : weight)));

test("believes in a strength that explains the questions, and stops when it no longer does", () => {
  const learner = createStrengthLearner();
  const chance = (): number => learner.strengths[0]!.weight;
  const before = chance();
  for (let question = 0; question < 10; question++)
    learner.learn(`strong ${question}`, likelihoodsAt(learner, 3.5));
  assert.ok(chance() < 0.05, `${chance()}`);
  const [likeliest] = learner.strengths.toSorted((a, b) => b.weight - a.weight);
  // Answers vary around the mean, so a neighbouring strength explains them as well.
  assert.ok([2.75, 3.5].includes(likeliest!.shift), `${likeliest!.shift}`);
  for (let question = 0; question < 60; question++) {
    learner.learn(`random ${question}`, likelihoodsAt(learner, (question % 5) - 2));
  }
  assert.ok(chance() > before - 0.05, `${chance()}`);
});

test("distinguishes a strong embedder that misses answers from a weaker one that misses none", () => {
  const [always, often, weak] = [createStrengthLearner(), createStrengthLearner(), createStrengthLearner()];
  for (let question = 0; question < 40; question++) {
    const noise = Math.sin(question);
    always.learn(`${question}`, likelihoodsAt(always, 5 + noise));
    often.learn(`${question}`, likelihoodsAt(often, (question % 4 === 0 ? 5 : 0) + noise));
    weak.learn(`${question}`, likelihoodsAt(weak, 1.25 + noise));
  }
  const strengthOf = ({ strengths }: StrengthLearner): number =>
    sumOf(strengths.map(({ shift, weight }) => shift * weight));
  assert.ok(missedOf(always) < 0.1, `${missedOf(always)}`);
  assert.ok(missedOf(often) > 0.5, `${missedOf(often)}`);
  assert.ok(strengthOf(often) > 3, `${strengthOf(often)}`);
  assert.ok(strengthOf(weak) < 2, `${strengthOf(weak)}`);
});

test("only the first possibility is that of no strength, and in none are keywords always right or wrong", () => {
  const { strengths } = createStrengthLearner();
  for (const [i, { shift, missed, misled }] of strengths.entries()) {
    assert.equal(shift > 0, i > 0);
    assert.ok(missed < 1 && misled > 0 && misled < 1, `${missed}, ${misled}`);
  }
});

test("learns nothing from a repeated question, or from values that are not numbers", () => {
  const learner = createStrengthLearner();
  const seen = likelihoodsAt(learner, 5);
  learner.learn("which?", seen);
  const once = learner.strengths;
  learner.learn("which?", seen);
  learner.learn("how?", seen.with(1, Number.NaN));
  learner.learn(
    "where?",
    seen.map(() => 0),
  );
  assert.deepEqual(learner.strengths, once);
});

test("weights always sum to 1 and none becomes 0", () => {
  const { length } = createStrengthLearner().strengths;
  const likelihood = fc.double({ min: 0, max: 1e9, noNaN: true });
  const likelihoods = fc.array(likelihood, { minLength: length, maxLength: length });
  fc.assert(
    fc.property(fc.array(likelihoods, { maxLength: 30 }), (questions) => {
      const learner = createStrengthLearner();
      for (const [index, each] of questions.entries()) learner.learn(`${index}`, each);
      const weights = learner.strengths.map(({ weight }) => weight);
      assert.ok(Math.abs(sumOf(weights) - 1) < 1e-9);
      assert.ok(weights.every((weight) => weight > 0));
    }),
    { seed: 171 },
  );
});

const strong = likelihoodsAt(createStrengthLearner(), 6);

test("continues where the previous process ended", async (t) => {
  const { store } = await openSearchFixture(t, { "MEMORY.md": "# Memory\n" });
  const before = createStrengthLearners(store);
  const learner = await before.get("some");
  for (let question = 0; question < 5; question++) {
    learner.learn(`${question}`, strong);
    await before.keep("some");
  }
  const after = await createStrengthLearners(store).get("some");
  for (const [i, { shift, weight }] of after.strengths.entries()) {
    assert.equal(shift, learner.strengths[i]!.shift);
    assert.ok(Math.abs(weight - learner.strengths[i]!.weight) < 0.1, `${shift}: ${weight}`);
  }
  const { strengths } = after;
  after.learn("0", strong);
  assert.deepEqual(
    after.strengths,
    strengths,
    "a question that the process before was asked tells nothing new",
  );
  const other = await createStrengthLearners(store).get("other");
  assert.ok(other.strengths[0]!.weight > 0.8, "another embedder starts from nothing");
});

test("writes only if beliefs have changed enough", async (t) => {
  const { store } = await openSearchFixture(t, { "MEMORY.md": "# Memory\n" });
  let writes = 0;
  const counting = {
    readFact: store.readFact,
    writeFact: async (key: string, value: string) => {
      writes++;
      await store.writeFact(key, value);
    },
  };
  const learners = createStrengthLearners(counting);
  const learner = await learners.get("some");
  for (let question = 0; question < 200; question++) {
    learner.learn(`${question}`, strong);
    await learners.keep("some");
  }
  assert.ok(writes >= 1 && writes <= 10, `${writes} writes`);
});

test("starts over if its state cannot be read, and continues if it cannot be written", async (t) => {
  const { store } = await openSearchFixture(t, { "MEMORY.md": "# Memory\n" });
  const untouched = await createStrengthLearners(store).get("some");
  const weights = untouched.strengths.map((_, i) => i + 1);
  const unusable = [
    { weights: [1, 2], questions: [] },
    { weights, questions: "none" },
    { weights, questions: ["a", 1] },
    { weights: weights.with(1, 0), questions: [] },
    { weights: weights.with(1, -1), questions: [] },
    { weights: { ...weights, length: weights.length }, questions: [] },
  ];
  for (const fact of ["", "{", "[]", "null", ...unusable.map((each) => JSON.stringify(each))]) {
    await store.writeFact("embedder-strength:some", fact);
    const learner = await createStrengthLearners(store).get("some");
    assert.deepEqual(learner.strengths, untouched.strengths, fact);
  }
  const failing = createStrengthLearners({
    readFact: () => Promise.reject(new Error("cannot be read")),
    writeFact: () => Promise.reject(new Error("cannot be written")),
  });
  const learner = await failing.get("some");
  learner.learn("which?", strong);
  await failing.keep("some");
  assert.notDeepEqual(learner.strengths, untouched.strengths);
});

test("an embedder that understands the notes has even odds of being strong before any question", () => {
  const { strengths } = createStrengthLearner();
  const chanceAt = (understanding: number): number => {
    const trusted = trustUnderstanding(strengths, understanding);
    assert.ok(Math.abs(sumOf(trusted.map(({ weight }) => weight)) - 1) < 1e-9);
    return trusted[0]!.weight;
  };
  assert.ok(Math.abs(chanceAt(0) - 0.9) < 1e-9);
  assert.ok(Math.abs(chanceAt(1) - 0.5) < 1e-9);
  assert.ok(chanceAt(0.5) > 0.5 && chanceAt(0.5) < 0.9);
});

test("searches that start at the same time share a learner", async (t) => {
  const { store } = await openSearchFixture(t, { "MEMORY.md": "# Memory\n" });
  const learners = createStrengthLearners(store);
  const [one, other] = await Promise.all([learners.get("some"), learners.get("some")]);
  assert.equal(one, other);
  one.learn("which?", strong);
  assert.equal(await learners.get("some"), one);
});
