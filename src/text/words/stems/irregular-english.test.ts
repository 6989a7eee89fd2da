import assert from "node:assert/strict";
import { test } from "node:test";
import { irregularLemma } from "./irregular-english.ts";
import { stemEnglish } from "./stem-english.ts";

test("irregular verb forms and plurals lead to their base form", () => {
  const pairs = {
    went: "go",
    bought: "buy",
    written: "write",
    children: "child",
    indices: "index",
    dying: "die",
  };
  for (const [form, lemma] of Object.entries(pairs)) assert.equal(irregularLemma(form), lemma);
});

test("base forms, regular forms and unknown words have no entry", () => {
  for (const word of ["go", "walked", "books", "xyzzy", "", "constructor", "Went"]) {
    assert.equal(irregularLemma(word), undefined);
  }
});

test("a form that is more often another word stays itself", () => {
  for (const word of ["rose", "wound", "bit", "lives", "leaves", "bases", "met", "fed", "sat"]) {
    assert.equal(irregularLemma(word), undefined);
  }
});

test("an irregular form shares its stem with the regular forms of its verb", () => {
  assert.equal(stemEnglish(irregularLemma("taught") ?? "taught"), stemEnglish("teaching"));
  assert.equal(stemEnglish(irregularLemma("chosen") ?? "chosen"), stemEnglish("chooses"));
});
