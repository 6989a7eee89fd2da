import assert from "node:assert/strict";
import { test } from "node:test";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { LonghandError } from "../errors.ts";
import { parseQuestions, readSets } from "./read-sets.ts";

function question(id: string, path?: string, scope?: string): string {
  const gold = path === undefined ? [] : [{ path, startLine: 1, endLine: 1 }];
  return `${JSON.stringify({ id, query: id, lang: "en", category: "fact", gold, scope })}\n`;
}

const invalid = { name: "LonghandError", code: "eval-invalid" };

test("A folder with questions and notes is one set, named after it", (t) => {
  const folder = makeTemporaryFolder(t, {
    "mine/workspace/a.md": "a",
    "mine/queries.jsonl": question("one", "a.md") + question("two", "a.md") + question("none"),
    "mine/no-answer.jsonl": question("nothing"),
  });
  const [set, ...others] = readSets(folder.at("mine"));
  assert.deepEqual(others, []);
  assert.deepEqual([set?.name, set?.workspaceDir], ["mine", folder.at("mine/workspace")]);
  const ids = (some: readonly { id: string }[] | undefined) => some?.map(({ id }) => id);
  assert.deepEqual(ids(set?.questions), ["one", "two"]);
  assert.deepEqual(ids(set?.unanswerable), ["none", "nothing"], "without gold lines there is no answer");
  const [limited] = readSets(folder.at("mine"), { limit: 1 });
  assert.deepEqual([ids(limited?.questions), ids(limited?.unanswerable)], [["one"], ["none"]]);
});

test("The sets of a folder come in order of their names, or as requested", (t) => {
  const folder = makeTemporaryFolder(t, {
    "b/workspace/a.md": "a",
    "b/queries.jsonl": question("one", "a.md"),
    "a/workspace/s/a.md": "a",
    "a/queries.jsonl": question("one", "s/a.md", "s"),
    "tools/readme.md": "no set",
  });
  const names = (chosen?: string[]) => readSets(folder.dir, { names: chosen }).map(({ name }) => name);
  assert.deepEqual(names(), ["a", "b"]);
  assert.deepEqual(names(["b", "a"]), ["b", "a"]);
  assert.throws(() => names(["c"]), { ...invalid, message: /no set "c"/, hint: /a, b/ });
});

test("Missing files are reported, with what to do", (t) => {
  const folder = makeTemporaryFolder(t, {
    "empty/readme.md": "",
    "bare/queries.jsonl": question("one", "a.md"),
    "lost/queries.jsonl": question("one", "gone.md"),
    "lost/workspace/a.md": "a",
    "scoped/queries.jsonl": question("one", "x/a.md", "x"),
    "scoped/workspace/a.md": "a",
    "blank/queries.jsonl": "\n",
    "blank/workspace/a.md": "a",
    "odd/queries.jsonl": question("one", "a.md"),
    "odd/no-answer.jsonl": question("two", "a.md"),
    "odd/workspace/a.md": "a",
  });
  const cases: [string, RegExp][] = [
    ["nowhere", /does not exist/],
    ["empty/readme.md", /not a folder/],
    ["empty", /no queries\.jsonl/],
    ["bare", /no folder workspace/],
    ["lost", /gold path "gone\.md" of "one"/],
    ["scoped", /scope "x" of "one"/],
    ["blank", /no question with gold lines/],
    ["odd", /no-answer\.jsonl has gold lines for "two"/],
  ];
  for (const [name, message] of cases) {
    assert.throws(() => readSets(folder.at(name)), { ...invalid, message }, name);
  }
});

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

test("Missing or wrong fields of a question are reported", () => {
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

test("An id that occurs twice is refused, because results are matched by it", () => {
  const twice = `${JSON.stringify(good)}\n${JSON.stringify({ ...good, query: "else?" })}`;
  assert.match(failureOf(twice).message, /:2 has the id "q1", which line 1 has already/);
});
