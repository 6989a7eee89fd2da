import assert from "node:assert/strict";
import { test } from "node:test";
import { parseAnswer } from "./command-driver.ts";

const result = (contributions: readonly object[], rest: object = {}) => ({
  docid: "#22a79a",
  score: 1,
  file: "qmd://memory/memory-ship-0123.md",
  line: 1,
  title: "Ship days",
  snippet: "@@ -1,3 @@ (0 before, 5 after)\n# Ship days\n\nWe ship on Fri...",
  explain: { rrf: { contributions } },
  ...rest,
});

test("a result is read with every sub-query that found it", () => {
  const output = JSON.stringify([
    result([
      { source: "fts", query: "ship", rank: 2, backendScore: 0.1 },
      { source: "vec", query: "when?", rank: 1, backendScore: 0.7 },
    ]),
  ]);
  assert.deepEqual(parseAnswer(output), [
    {
      collection: "memory",
      file: "memory-ship-0123.md",
      hashStart: "22a79a",
      byKeyword: [{ query: "ship", rank: 2 }],
      byVector: { similarity: 0.7, text: "# Ship days\n\nWe ship on Fri", offset: null },
    },
  ]);
});

test("no results is an empty list, however it is said", () => {
  assert.deepEqual(parseAnswer("[]"), []);
  assert.deepEqual(parseAnswer("No results found.\n"), []);
  assert.deepEqual(parseAnswer("[qmd] warning: no results found\n"), []);
});

test("an answer is found among messages of the model library", () => {
  const list = JSON.stringify([result([{ source: "fts", query: "ship", rank: 1 }])], null, 2);
  assert.equal(parseAnswer(`loading\n{"payload":"ok"}\n${list}\ncomplete\n`).length, 1);
});

test("whatever else is printed is no answer", () => {
  const contributions = [{ source: "fts", query: "a", rank: 1 }];
  for (const output of [
    "",
    "<html>",
    "{",
    "null",
    "{}",
    "[1]",
    "[null]",
    JSON.stringify([result(contributions, { file: "/etc/passwd" })]),
    JSON.stringify([result(contributions, { docid: 7 })]),
    JSON.stringify([result([{ source: "fts", query: "a", rank: "first" }])]),
    JSON.stringify([result([], { explain: {} })]),
    JSON.stringify([result([{ source: "vec", query: "a", rank: 1, backendScore: null }])]),
  ]) {
    assert.throws(() => parseAnswer(output), { code: "backend-failed" }, output);
  }
});
