import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { openSearchPlace } from "../../test/support/search-place.ts";
import { createStrengthLearner, createStrengthLearners } from "./embedder-strength.ts";

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

test("believes in a strength that explains the questions, and stops when it no longer does", () => {
  const learner = createStrengthLearner();
  const chance = (): number => learner.strengths[0]!.weight;
  const before = chance();
  for (let question = 0; question < 10; question++)
    learner.learn(`strong ${question}`, [1, 1, 2, 4, 5, 9, 3, 0.1, 0.1]);
  assert.ok(chance() < 0.05, `${chance()}`);
  const [likeliest] = learner.strengths.toSorted((a, b) => b.weight - a.weight);
  assert.equal(likeliest!.shift, 3.5);
  for (let question = 0; question < 60; question++) {
    learner.learn(`random ${question}`, [1, 0.8, 0.7, 0.6, 0.5, 0.4, 0.4, 0.4, 0.4]);
  }
  assert.ok(chance() > before - 0.05, `${chance()}`);
});

test("learns how many answers a strong embedder misses", () => {
  const seen = [1, 1, 2, 4, 20, 90, 300, 100, 20];
  const missed = [1, 0.8, 0.6, 0.4, 0.3, 0.25, 0.25, 0.25, 0.25];
  const [always, often] = [createStrengthLearner(), createStrengthLearner()];
  for (let question = 0; question < 60; question++) {
    always.learn(`${question}`, seen);
    often.learn(`${question}`, question % 2 === 0 ? seen : missed);
  }
  assert.ok(always.missedShare < 0.02, `${always.missedShare}`);
  // An answer that keywords miss as well is no proof, so it learns less than the half that it is.
  assert.ok(often.missedShare > 0.15 && often.missedShare < 0.5, `${often.missedShare}`);
  const weak = createStrengthLearner();
  for (let question = 0; question < 60; question++) weak.learn(`${question}`, missed);
  assert.ok(Math.abs(weak.missedShare - createStrengthLearner().missedShare) < 0.05, `${weak.missedShare}`);
});

test("learns nothing from a question that was asked before, or from what is no number", () => {
  const learner = createStrengthLearner();
  learner.learn("which?", [1, 1, 2, 4, 5, 9, 3, 0.1, 0.1]);
  const once = learner.strengths;
  learner.learn("which?", [1, 1, 2, 4, 5, 9, 3, 0.1, 0.1]);
  learner.learn("how?", [1, Number.NaN, 1, 1, 1, 1, 1, 1, 1]);
  learner.learn("where?", [0, 0, 0, 0, 0, 0, 0, 0, 0]);
  assert.deepEqual(learner.strengths, once);
});

test("weights always sum to 1 and none becomes 0", () => {
  const likelihoods = fc.array(fc.double({ min: 0, max: 1e9, noNaN: true }), { minLength: 9, maxLength: 9 });
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

const strong = [1, 1, 2, 4, 20, 90, 300, 100, 20];

test("goes on where the process before ended", async (t) => {
  const { store } = await openSearchPlace(t, { "MEMORY.md": "# Memory\n" });
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
  assert.ok(Math.abs(after.missedShare - learner.missedShare) < 0.1);
  const { strengths } = after;
  after.learn("0", strong);
  assert.deepEqual(
    after.strengths,
    strengths,
    "a question that the process before was asked tells nothing new",
  );
  const other = await createStrengthLearners(store).get("other");
  assert.ok(other.strengths[0]!.weight > 0.8, "another embedder starts anew");
});

test("writes only what moves belief", async (t) => {
  const { store } = await openSearchPlace(t, { "MEMORY.md": "# Memory\n" });
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

test("learns anew from what cannot be read, and keeps on where nothing can be written", async (t) => {
  const { store } = await openSearchPlace(t, { "MEMORY.md": "# Memory\n" });
  const untouched = await createStrengthLearners(store).get("some");
  for (const fact of ["", "{", "[]", "null", '{"weights":[1,2],"missed":1,"asked":5,"questions":[]}']) {
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
