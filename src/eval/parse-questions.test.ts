import assert from "node:assert/strict";
import { test } from "node:test";
import { LonghandError } from "../errors.ts";
import { parseQuestions } from "./parse-questions.ts";

const good = { id: "q1", query: "why?", lang: "en", category: "fact", gold: [] };
const place = { path: "a.md", startLine: 1, endLine: 2 };

function failureOf(text: string): LonghandError {
  try {
    parseQuestions(text, "set/queries.jsonl");
  } catch (error) {
    assert.ok(error instanceof LonghandError);
    assert.equal(error.code, "eval-invalid");
    assert.notEqual(error.hint, "");
    return error;
  }
  throw new assert.AssertionError({ message: `accepted: ${text}` });
}

test("Each line is a question; blank lines, a byte-order mark and unknown fields do not matter", () => {
  const lines = [
    `\ufeff${JSON.stringify({ ...good, gold: [place], answer: "because" })}`,
    "",
    JSON.stringify({ id: 2, query: " どこ? ", scope: "team/", gold: [] }),
    "  ",
  ];
  assert.deepEqual(parseQuestions(lines.join("\r\n"), "f"), [
    { ...good, gold: [place] },
    { id: "2", query: " どこ? ", lang: "unknown", category: "unknown", scope: "team", gold: [] },
  ]);
});

test("A broken line is named with its file and number", () => {
  const { message, hint } = failureOf(`${JSON.stringify(good)}\n\n{"id": "q2", `);
  assert.match(message, /^set\/queries\.jsonl:3 .*JSON is broken/);
  assert.match(hint, /"startLine":1/);
});

test("What is missing or wrong in a question is said", () => {
  const cases: [unknown, RegExp][] = [
    [[], /no JSON object/],
    ["text", /no JSON object/],
    [{ ...good, id: undefined }, /no id/],
    [{ ...good, query: " " }, /no query/],
    [{ ...good, gold: {} }, /gold is no list/],
    [{ ...good, gold: ["a.md"] }, /gold\[0\] is no JSON object/],
    [{ ...good, gold: [place, { ...place, path: "../a.md" }] }, /gold\[1\] has no path below/],
    [{ ...good, gold: [{ ...place, path: "/a.md" }] }, /gold\[0\] has no path below/],
    [{ ...good, gold: [{ ...place, startLine: 0 }] }, /counted from 1/],
    [{ ...good, gold: [{ ...place, startLine: 3 }] }, /the first not after the second/],
    [{ ...good, gold: [{ path: "a.md" }] }, /needs startLine and endLine/],
    [{ ...good, scope: "../up" }, /scope/],
    [{ ...good, scope: 7 }, /scope/],
  ];
  for (const [value, expected] of cases) assert.match(failureOf(JSON.stringify(value)).message, expected);
});

test("An id that stands twice is refused, because results are matched by it", () => {
  const twice = `${JSON.stringify(good)}\n${JSON.stringify({ ...good, query: "else?" })}`;
  assert.match(failureOf(twice).message, /:2 has the id "q1", which line 1 has already/);
});
