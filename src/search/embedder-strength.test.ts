import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createStrengthLearner } from "./embedder-strength.ts";

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
