// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders are tested here.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { checkConfig } from "./check.ts";
import { configOptions } from "./options.ts";
import { Secret } from "./secret.ts";

function check(value: unknown, env: Record<string, string> | null = {}) {
  return checkConfig({ options: configOptions, value, env });
}

function problemsOf(value: unknown, env?: Record<string, string>): string[] {
  return check(value, env).problems.map(({ key, message }) => `${key} ${message}`);
}

function search(memorySearch: unknown) {
  return { agents: { defaults: { memorySearch } } };
}

const prefix = "agents.defaults.memorySearch";

test("a valid configuration passes unchanged", () => {
  const value = {
    agents: {
      defaults: {
        workspace: "~/notes",
        memorySearch: { query: { maxResults: 3, minScore: 0 }, exclude: ["*.tmp"] },
      },
      list: [{ id: "work", memorySearch: { enabled: false } }, { id: "home" }],
    },
    memory: { citations: "on" },
    tools: { forget: true },
  };
  assert.deepEqual(check(value), { values: value, problems: [], variables: new Map() });
  assert.deepEqual(check({}).problems, []);
});

test("the key that editors use for the schema is allowed, at the top only", () => {
  assert.deepEqual(problemsOf({ $schema: "./x.json" }), []);
  assert.equal(problemsOf({ tools: { $schema: "x" } }).length, 1);
});

test("for an unknown key, the nearest known one is suggested", () => {
  assert.deepEqual(problemsOf(search({ chunkin: {} })), [
    `${prefix}.chunkin is not a known key; did you mean "chunking"?`,
  ]);
  assert.deepEqual(problemsOf({ agent: {} }), ['agent is not a known key; did you mean "agents"?']);
  assert.deepEqual(problemsOf({ agents: { list: [{ id: "a", workspaces: "x" }] } }), [
    'agents.list[0].workspaces is not a known key; did you mean "workspace"?',
  ]);
});

test("for a known key in the wrong place, the right place is suggested", () => {
  assert.deepEqual(problemsOf({ memorySearch: {} }), [
    `memorySearch is not a known key; did you mean "${prefix}"?`,
  ]);
  assert.deepEqual(problemsOf(search({ maxResults: 3 })), [
    `${prefix}.maxResults is not a known key; did you mean "${prefix}.query.maxResults"?`,
  ]);
});

test("for the name of a model family, the provider is suggested", () => {
  assert.deepEqual(problemsOf({ models: { providers: { gemini: {} } } }), [
    'models.providers.gemini is not a known key; did you mean "google"?',
  ]);
});

test("for a key that resembles nothing, all known keys are listed", () => {
  assert.deepEqual(problemsOf({ tools: { zzzzzz: 1 } }), [
    "tools.zzzzzz is not a known key; known here: forget, consolidate",
  ]);
});

test("the error for a wrong type names both types", () => {
  assert.deepEqual(problemsOf(search({ enabled: "yes" })), [
    `${prefix}.enabled must be true or false, but is a string`,
  ]);
  assert.deepEqual(problemsOf(search({ query: { maxResults: "6" } })), [
    `${prefix}.query.maxResults must be a whole number from 1 to 200, but is a string`,
  ]);
  assert.deepEqual(problemsOf(search({ extraPaths: "notes" })), [
    `${prefix}.extraPaths must be a list, but is a string`,
  ]);
  assert.deepEqual(problemsOf(search({ extraPaths: ["a", 1] })), [
    `${prefix}.extraPaths[1] must be a string, but is a number`,
  ]);
  assert.deepEqual(problemsOf(search([])), [`${prefix} must be an object, but is a list`]);
  assert.deepEqual(problemsOf(search({ model: null })), [`${prefix}.model must be a string, but is null`]);
  assert.deepEqual(problemsOf([]), ["The top level must be an object, but is a list"]);
});

test("the error for a number out of range names the range", () => {
  const key = `${prefix}.query.minScore`;
  for (const minScore of [-0.1, 1.1, Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.deepEqual(problemsOf(search({ query: { minScore } })), [
      `${key} must be a number from 0 to 1, but is ${minScore}`,
    ]);
  }
  assert.deepEqual(problemsOf(search({ query: { maxResults: 2.5 } })), [
    `${prefix}.query.maxResults must be a whole number from 1 to 200, but is 2.5`,
  ]);
});

test("the error for an unknown choice lists the valid ones", () => {
  assert.deepEqual(problemsOf({ memory: { backend: "qdm" } }), [
    'memory.backend must be one of "builtin", "qmd", but is "qdm"',
  ]);
  assert.deepEqual(problemsOf(search({ sources: [] })), [`${prefix}.sources must not be an empty list`]);
});

test("all problems are reported at once", () => {
  assert.equal(problemsOf({ a: 1, tools: { forget: 0 }, agents: { list: [{}] } }).length, 3);
});

test("agents need ids that are safe and unique", () => {
  assert.deepEqual(problemsOf({ agents: { list: [{}] } }), ["agents.list[0].id is missing"]);
  assert.match(
    problemsOf({ agents: { list: [{ id: "../x" }] } })[0]!,
    /agents\.list\[0\]\.id must be at most 64 letters/,
  );
  assert.deepEqual(problemsOf({ agents: { list: [{ id: "Work" }, { id: "work" }] } }), [
    'agents.list[1].id is "work", which agents.list[0] already has (case does not count)',
  ]);
});

test("strings with a special format are validated", () => {
  assert.match(
    problemsOf({ agents: { defaults: { userTimezone: "Berlin" } } })[0]!,
    /must be a time zone name/,
  );
  assert.deepEqual(problemsOf({ agents: { defaults: { userTimezone: "<system>" } } }), []);
  assert.match(problemsOf({ agents: { defaults: { workspace: "a\0b" } } })[0]!, /NUL/);
  assert.match(problemsOf({ agents: { defaults: { workspace: " " } } })[0]!, /must not be empty/);
  assert.deepEqual(problemsOf(search({ remote: { baseUrl: "http://localhost:1234/v1" } })), []);
});

test("a prompt may be empty or end with a space, but must be a short string", () => {
  const prompts = { query: "query: ", document: "" };
  assert.deepEqual(problemsOf(search({ remote: { prompts }, local: { prompts } })), []);
  assert.deepEqual(check(search({ local: { prompts } })).values, search({ local: { prompts } }));
  const long = search({ remote: { prompts: { query: "x".repeat(1001) } } });
  assert.match(problemsOf(long)[0]!, /remote\.prompts\.query must not be longer than 1000 characters/);
  assert.equal(problemsOf(search({ local: { prompts: { document: 3 } } })).length, 1);
  assert.equal(problemsOf(search({ local: { prompts: "query: " } })).length, 1);
});

test("a refused address is not repeated, because it may contain a password", () => {
  for (const baseUrl of ["https://ann:hunter2@example.com", "ftp://hunter2", "hunter2"]) {
    const [problem] = problemsOf(search({ remote: { baseUrl } }));
    assert.match(problem!, /must be an http or https address/);
    assert.doesNotMatch(problem!, /hunter2/);
  }
});

test("variables are expanded in every kind of string, and recorded by key", () => {
  const { values, problems, variables } = check(
    {
      agents: {
        defaults: {
          workspace: "${DIR}/notes",
          memorySearch: { provider: "${P}", extraPaths: ["a", "${DIR}"] },
        },
      },
      models: { providers: { openai: { apiKey: "${KEY}", headers: { "X-A": "${KEY}" } } } },
    },
    { DIR: "/d", P: "openai", KEY: "k" },
  );
  assert.deepEqual(problems, []);
  assert.deepEqual((values["agents"] as { defaults: unknown }).defaults, {
    workspace: "/d/notes",
    memorySearch: { provider: "openai", extraPaths: ["a", "/d"] },
  });
  assert.deepEqual(variables.get("agents.defaults.workspace"), ["DIR"]);
  assert.deepEqual(variables.get(`${prefix}.extraPaths[1]`), ["DIR"]);
  assert.deepEqual(variables.get("models.providers.openai.headers.X-A"), ["KEY"]);
});

test("a variable that is not set is an error naming the key and the variable", () => {
  const [problem] = check(search({ remote: { apiKey: "${NO_SUCH}" } })).problems;
  assert.equal(problem!.key, `${prefix}.remote.apiKey`);
  assert.equal(problem!.message, "uses ${NO_SUCH}, but the environment variable NO_SUCH is not set");
  assert.match(problem!.hint!, /Set NO_SUCH/);
});

test("messages never show the value of a variable", () => {
  const [problem] = problemsOf(search({ provider: "${KEY}" }), { KEY: "hunter2" });
  assert.match(problem!, /but is "\$\{KEY\}"$/);
});

test("without an environment, dollar signs are plain text", () => {
  assert.deepEqual(check({ agents: { defaults: { workspace: "${A}" } } }, null).values, {
    agents: { defaults: { workspace: "${A}" } },
  });
});

test("keys become secrets, and a bad one is not shown", () => {
  const { values } = check({
    models: { providers: { voyage: { apiKey: "hunter2", headers: { A: "hunter2" } } } },
  });
  assert.doesNotMatch(JSON.stringify(values), /hunter2/);
  const bad = problemsOf({
    models: { providers: { voyage: { apiKey: "hunter2\r\nX: y", headers: { "a b": "hunter2" } } } },
  });
  assert.equal(bad.length, 2);
  assert.doesNotMatch(bad.join(), /hunter2/);
  const given = new Secret("k");
  const kept = check({ models: { providers: { voyage: { apiKey: given } } } }).values as {
    models: { providers: { voyage: { apiKey: Secret } } };
  };
  assert.equal(kept.models.providers.voyage.apiKey, given);
});

test("keys that would change prototypes are refused and change nothing", () => {
  const attack = JSON.parse(`{
    "__proto__": { "polluted": 1 },
    "constructor": { "prototype": { "polluted": 1 } },
    "models": { "providers": { "openai": { "headers": { "__proto__": "x" } } } }
  }`);
  assert.deepEqual(
    check(attack).problems.map(({ key }) => key),
    ["__proto__", "constructor", "models.providers.openai.headers.__proto__"],
  );
  assert.equal(({} as { polluted?: number }).polluted, undefined);
});

test("an unusual key is shown in a form that is safe to print", () => {
  const [problem] = problemsOf({ "a\u001b[31m\u202e.b": 1 });
  assert.match(problem!, /^\["a\\u001b\[31m\\u202e\.b"\] is not a known key/);
  assert.ok(problemsOf({ ["k".repeat(1_000_000)]: 1 })[0]!.length < 300);
});

test("a value that is not set counts as absent", () => {
  assert.deepEqual(check({ tools: undefined, memory: { backend: undefined } }), {
    values: { memory: {} },
    problems: [],
    variables: new Map(),
  });
});

/** Nearly valid configurations: known names with values of any kind. */
const names = [
  ..."agents defaults list id memorySearch query remote headers models providers openai apiKey".split(" "),
];
const anything = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.jsonValue(),
    tie("object"),
    fc.array(tie("object"), { maxLength: 3 }),
  ),
  object: fc.dictionary(fc.oneof(fc.constantFrom(...names), fc.string()), tie("value"), { maxKeys: 4 }),
})).value;

test("the checker never throws, and accepts again what it accepted", () => {
  fc.assert(
    fc.property(anything, (value) => {
      const { values } = check(value, null);
      assert.deepEqual(
        check(values, null).problems.filter(({ message }) => message !== "is missing"),
        [],
      );
    }),
    { seed: 7, numRuns: 1000 },
  );
});
