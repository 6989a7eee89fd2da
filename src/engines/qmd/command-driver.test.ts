import assert from "node:assert/strict";
import { test } from "node:test";
import { parseAnswer, readAnswer } from "./command-driver.ts";
import { qmdFailure } from "./driver.ts";

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

test("no results are an empty list, in any of qmd's forms", () => {
  assert.deepEqual(parseAnswer("[]"), []);
  assert.deepEqual(parseAnswer("No results found.\n"), []);
  assert.deepEqual(parseAnswer("[qmd] warning: no results found\n"), []);
});

const contributions = [{ source: "fts", query: "ship", rank: 1 }];
const list = JSON.stringify([result(contributions)], null, 2);

test("an answer is found among other messages", () => {
  for (const output of [
    `loading\n{"payload":"ok"}\n${list}\ncomplete\n`,
    `[qmd] starting\n${list}`,
    `[qmd] filters=[]\n${list}`,
    `[qmd] earlier=[{"docid":"old"}]\n${list}`,
    `[null, "noise", 1, ["nested"]]\n${list}`,
    `warning: no results found\n${list}`,
    `${list}\n[qmd] warning: no results found`,
  ]) {
    assert.deepEqual(
      parseAnswer(output).map(({ hashStart }) => hashStart),
      ["22a79a"],
      output,
    );
  }
});

test("malformed entries of a list of results are left out", () => {
  const output = JSON.stringify([null, "noise", result(contributions), false, [1], result(contributions)]);
  assert.equal(parseAnswer(output).length, 2);
});

const end = (exitCode: number | null, output: string, errors = "") => ({
  output,
  errors,
  exitCode,
  failure: exitCode === 0 ? null : qmdFailure(`qmd query ended: ${errors}`),
});

test("an empty result may be reported on stderr, with exit code 0 or 1", () => {
  for (const marker of ["No results found\n", "No results found.", "[qmd] warning: no results found\n"]) {
    assert.deepEqual(readAnswer(end(0, "", marker)), [], marker);
    assert.deepEqual(readAnswer(end(1, "\n", `loading\n${marker}`)), [], marker);
    assert.throws(() => readAnswer(end(2, "", marker)), { code: "backend-failed" }, marker);
  }
  assert.throws(() => readAnswer(end(0, "  \n", "unexpected error")), { code: "backend-failed" });
});

test("results that were printed in full survive a crash at exit, but not an error", () => {
  for (const exitCode of [134, 139, null]) {
    assert.equal(readAnswer(end(exitCode, `loading\n${list}`, "assertion failed")).length, 1);
    assert.throws(() => readAnswer(end(exitCode, list.slice(0, -1), "assertion failed")), /assertion failed/);
    assert.throws(() => readAnswer(end(exitCode, "", "assertion failed")), /assertion failed/);
  }
  assert.throws(() => readAnswer(end(2, "[]", "database is locked")), /database is locked/);
  assert.throws(() => readAnswer(end(1, list, "Collection not found")), /Collection not found/);
});

test("any other output is not an answer", () => {
  for (const output of [
    "",
    "<html>",
    "{",
    "null",
    "{}",
    "[1]",
    "[null]",
    "[[{}]]",
    "[".repeat(4096),
    "warning: search completed; no results found for this query",
    JSON.stringify([result(contributions, { file: "/etc/passwd" })]),
    JSON.stringify([result(contributions, { docid: 7 })]),
    JSON.stringify([result([{ source: "fts", query: "a", rank: "first" }])]),
    JSON.stringify([result([], { explain: {} })]),
    JSON.stringify([result([{ source: "vec", query: "a", rank: 1, backendScore: null }])]),
  ]) {
    assert.throws(() => parseAnswer(output), { code: "backend-failed" }, output);
  }
});
