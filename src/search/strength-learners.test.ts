import assert from "node:assert/strict";
import { test } from "node:test";
import { openSearchPlace } from "../../test/support/search-place.ts";
import { createStrengthLearners } from "./strength-learners.ts";

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
