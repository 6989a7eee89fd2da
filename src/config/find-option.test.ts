import assert from "node:assert/strict";
import { test } from "node:test";
import { checkConfig } from "./check.ts";
import { checkValue, findOption, keyChoices, readValue, settableKeys } from "./find-option.ts";
import { configOptions } from "./options.ts";

test("every key that can be set is found, by its short name and as it is written in the file", () => {
  const keys = settableKeys();
  assert.ok(keys.includes("memorySearch.query.hybrid.mmr.lambda") && keys.includes("tools.forget"));
  for (const key of keys) {
    const found = findOption(key);
    assert.equal(found.key, key);
    if (found.isPerAgent) assert.equal(findOption(`agents.defaults.${key}`).key, key);
  }
});

test("for an unknown key, the nearest one is suggested, and for a group, its settings", () => {
  const cases: [key: string, message: RegExp][] = [
    ["memorySearch.query.maxResult", /did you mean "memorySearch\.query\.maxResults"\?/],
    ["maxresults", /did you mean "memorySearch\.query\.maxResults"\?/],
    ["exclude", /did you mean "memorySearch\.exclude"\?/],
    ["xyzzy", /There is no setting "xyzzy"\.$/],
    ["constructor", /There is no setting/],
    ["", /There is no setting/],
    ["memorySearch.query", /group of settings/],
  ];
  for (const [key, message] of cases) assert.throws(() => findOption(key), { code: "usage", message }, key);
});

test("values are parsed by the type of their setting, and an invalid one is refused", async () => {
  const read = async (key: string, text: string) => {
    const found = findOption(key);
    const value = await readValue(found, text);
    checkValue(found, value);
    return value;
  };
  assert.equal(await read("memorySearch.query.maxResults", "12"), 12);
  assert.equal(await read("tools.forget", "true"), true);
  assert.deepEqual(await read("memorySearch.exclude", "drafts/"), ["drafts/"]);
  assert.deepEqual(await read("memorySearch.exclude", "['a', \"b\"]"), ["a", "b"]);
  assert.equal(await read("memorySearch.remote.headers.X-Org.Unit", "7"), "7");
  for (const [key, text] of [
    ["memorySearch.query.maxResults", "0"],
    ["memorySearch.query.maxResults", "many"],
    ["memorySearch.provider", "opnai"],
    ["tools.forget", "yes"],
    ["notes.daily", "../{date}.md"],
    ["memorySearch.exclude", "[1"],
  ] as const) {
    const isRefused = text === "[1" ? { code: "usage", message: /must be a list/ } : { code: "usage" };
    await assert.rejects(read(key, text), isRefused, `${key} ${text}`);
  }
});

test("the values that completion offers are valid", () => {
  for (const [key, choices] of Object.entries(keyChoices())) {
    const { path, isPerAgent } = findOption(key);
    for (const choice of choices) {
      const value = choice === "true" || choice === "false" ? choice === "true" : choice;
      const tree = path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
      const config = isPerAgent ? { agents: { defaults: tree } } : tree;
      const { problems } = checkConfig({ options: configOptions, value: config, env: null });
      assert.deepEqual(problems, [], key);
    }
  }
});
