import assert from "node:assert/strict";
import { test } from "node:test";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { readSets } from "./read-sets.ts";

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

test("The sets of a folder come by name, or as they are asked for", (t) => {
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

test("What is missing is said, with what to do", (t) => {
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
