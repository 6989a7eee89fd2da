import assert from "node:assert/strict";
import { test } from "node:test";
import { monthNumber } from "../text/months.ts";
import { createAnalyser } from "../text/words/analyse.ts";
import { foldWord } from "../text/words/fold.ts";
import { dateTokens } from "./query-dates.ts";
import { readQueryWords } from "./query-words.ts";

const analyser = createAnalyser();
const tokensFor = (query: string) => readQueryWords(query, analyser).words.map(({ token }) => token);

test("A day in words meets the name of its note", () => {
  const day = new Set(analyser.indexText("memory/2023-05-08.md").split(" "));
  for (const query of [
    "What happened on May 8, 2023?",
    "what did we do on 8 May",
    "on the 8th May 2023",
    "Was war am 8. Mai 2023?",
    "el 8 mayo 2023",
    "8 мая 2023",
  ]) {
    assert.ok(
      tokensFor(query).some((token) => day.has(token) && token.includes(".")),
      `${query}: ${tokensFor(query).join(" ")}`,
    );
  }
});

test("A month and its year meet every note of that month, and no other", () => {
  const tokens = dateTokens(["in", "march", "2024"]);
  assert.deepEqual(tokens, ["2024.03"]);
  assert.deepEqual(dateTokens(["marz", "2024"]), ["2024.03"]);
});

test("Numbers and months alone are no dates", () => {
  assert.deepEqual(dateTokens(["may", "we", "ship"]), []);
  assert.deepEqual(dateTokens(["8", "people", "2023"]), []);
  assert.deepEqual(dateTokens(["march", "1234"]), []);
  assert.deepEqual(dateTokens([]), []);
});

test("months are listed as questions are folded", () => {
  for (const name of ["march", "marz", "aout", "marco", "января", "мая", "декабря"]) {
    assert.equal(foldWord(name), name);
    assert.match(monthNumber(name) ?? "", /^\d\d$/);
  }
});
