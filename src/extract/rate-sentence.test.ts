import assert from "node:assert/strict";
import { test } from "node:test";
import { keySentences, otherSentences } from "../../test/support/key-sentences.ts";
import { rateSentence } from "./rate-sentence.ts";
import { splitSentences } from "./sentences.ts";

const isFound = (text: string, role: "user" | "assistant" = "user"): boolean =>
  splitSentences(text).some((sentence) => rateSentence(sentence, role) !== null);

for (const [kind, sentences] of keySentences) {
  test(`nine in ten sentences that state a ${kind} are found`, () => {
    const missed = sentences.filter((sentence) => !isFound(sentence));
    assert.ok(missed.length <= sentences.length / 10, `missed: ${missed.join(" | ")}`);
  });
}

test("remarks about work in progress are left out", () => {
  for (const role of ["user", "assistant"] as const) {
    const found = otherSentences[role].filter((sentence) => isFound(sentence, role));
    assert.ok(found.length <= otherSentences[role].length / 50, `found: ${found.join(" | ")}`);
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

test("in a question, only the statement before it counts", () => {
  assert.equal(rateSentence("Should we decide to use Redis?", "user"), null);
  assert.equal(rateSentence("What if we decided to drop Safari?", "user"), null);
  assert.ok(rateSentence("I prefer tea, can you order some?", "user"));
});

test("naming a thing is found, and talk about names is not", () => {
  for (const sentence of [
    "The codename of the release is heron-lagoon.",
    "Our code name for the migration will be Bluebird.",
    "Heron-lagoon is the codename of the release.",
    "Der Codename der Version ist Reiher.",
    "El nombre en clave del proyecto es Garza.",
    "Le nom de code du projet est Héron.",
  ]) {
    assert.ok(isFound(sentence), sentence);
  }
  for (const sentence of ["What is the codename of the release?", "Look up the codename in the file."]) {
    assert.ok(!isFound(sentence), sentence);
  }
});
