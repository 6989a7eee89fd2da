import assert from "node:assert/strict";
import { test } from "node:test";
import { passingSentences, tellingSentences } from "../../test/support/telling-sentences.ts";
import { rateSentence } from "./rate-sentence.ts";
import { splitSentences } from "./sentences.ts";

const isFound = (text: string, role: "user" | "assistant" = "user"): boolean =>
  splitSentences(text).some((sentence) => rateSentence(sentence.text, role) !== null);

for (const [kind, sentences] of Object.entries(tellingSentences)) {
  test(`of sentences that state a ${kind} nine in ten are found`, () => {
    const missed = sentences.filter((sentence) => !isFound(sentence));
    assert.ok(missed.length <= sentences.length / 10, `missed: ${missed.join(" | ")}`);
  });
}

test("what is said while something is done is left out", () => {
  for (const role of ["user", "assistant"] as const) {
    const found = passingSentences[role].filter((sentence) => isFound(sentence, role));
    assert.ok(found.length <= passingSentences[role].length / 50, `found: ${found.join(" | ")}`);
  }
});

test("the same words count with typographic apostrophes and in any case", () => {
  for (const sentence of [
    "We’ll go with Redis streams.",
    "DON'T PUSH TO MAIN EVER.",
    "I’m allergic to nuts.",
  ]) {
    assert.ok(isFound(sentence), sentence);
  }
});

test("of a question only what it states before it asks is evidence", () => {
  assert.equal(rateSentence("Should we decide to use Redis?", "user"), null);
  assert.equal(rateSentence("What if we decided to drop Safari?", "user"), null);
  assert.ok(rateSentence("I prefer tea, can you order some?", "user"));
});
