import assert from "node:assert/strict";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { skipOnWindows } from "../../test/support/platform.ts";
import { describeSettings, selectSettings } from "./describe.ts";
import { allKeys } from "./known-keys.ts";
import { configOptions } from "./options.ts";
import { resolveSettings } from "./settings.ts";

const home = await fs.realpath(await fs.mkdtemp(path.join(os.tmpdir(), "longhand-describe-")));
after(() => fs.rm(home, { recursive: true }));
const file = path.join(home, "my.json5");
await fs.writeFile(
  file,
  `{
    agents: {
      defaults: {
        memorySearch: {
          exclude: ["a"],
          remote: {
            apiKey: "hunter2",
            baseUrl: "https://api.example/v1?key=hunter2",
            headers: { "X.Y": "hunter2" },
          },
          query: { maxResults: 9 },
        },
      },
      list: [{ id: "work", memorySearch: { exclude: ["b"] } }],
    },
    models: { providers: { voyage: { apiKey: "\${MY_KEY}" } } },
  }`,
);
const env = { HOME: home, MY_KEY: "hunter2", OPENAI_API_KEY: "hunter2", LONGHAND_WORKSPACE: "/w" };
const settings = await resolveSettings({ cwd: home, config: file, agent: "work", env });
const rows = describeSettings(settings);

function row(key: string) {
  return rows.find((setting) => setting.key === key);
}

test("every option is described once, and every description has an option", () => {
  const groups = new Set(
    allKeys(configOptions, "").flatMap((key, _, all) =>
      all.some((other) => other.startsWith(`${key}.`)) ? [key] : [],
    ),
  );
  const expected = allKeys(configOptions, "")
    .filter((key) => !groups.has(key) && key !== "agents.list")
    .map((key) => key.replace(/^agents\.defaults\./, ""));
  const described = rows.map(({ key }) => key.replace(/\["X\.Y"\]$/, ""));
  assert.deepEqual(described.toSorted(), [...expected, "agentId", "configPath", "stateDir"].toSorted());
});

test("each value is listed with its origin", {
  skip: skipOnWindows("its paths are those of POSIX"),
}, () => {
  assert.deepEqual(row("agentId"), { key: "agentId", value: "work", origin: "given: agent" });
  assert.deepEqual(row("workspace"), {
    key: "workspace",
    value: path.resolve("/w"),
    origin: "environment: LONGHAND_WORKSPACE",
  });
  const maxResults = "memorySearch.query.maxResults";
  assert.deepEqual(row(maxResults), {
    key: maxResults,
    value: 9,
    origin: `${file}: agents.defaults.${maxResults}`,
  });
  assert.deepEqual(row("memorySearch.model"), { key: "memorySearch.model", value: null, origin: "default" });
  assert.equal(
    row("memorySearch.exclude")?.origin,
    `${file}: agents.defaults.memorySearch.exclude; ${file}: agents.list[0].memorySearch.exclude`,
  );
  assert.equal(
    row("models.providers.voyage.apiKey")?.origin,
    `${file}: models.providers.voyage.apiKey (with $MY_KEY)`,
  );
});

test("secrets are masked, in addresses and headers too", () => {
  assert.doesNotMatch(JSON.stringify(rows), /hunter2/);
  assert.equal(row("models.providers.openai.apiKey")?.value, "[secret]");
  assert.equal(row("memorySearch.remote.baseUrl")?.value, "https://api.example/v1?[secret]");
  assert.equal(row('memorySearch.remote.headers["X.Y"]')?.value, "[secret]");
});

test("a key selects its value, as listed or as written in the file", () => {
  for (const key of ["memorySearch.query.maxResults", "agents.defaults.memorySearch.query.maxResults"]) {
    const { exact, settings: selected } = selectSettings(settings, key);
    assert.equal(exact, true);
    assert.deepEqual(
      selected.map(({ value }) => value),
      [9],
    );
  }
});

test("a group selects all its values", () => {
  const { exact, settings: selected } = selectSettings(settings, "memorySearch.chunking");
  assert.equal(exact, false);
  assert.deepEqual(
    selected.map(({ key, value }) => [key, value]),
    [
      ["memorySearch.chunking.tokens", 400],
      ["memorySearch.chunking.overlap", 80],
    ],
  );
  assert.equal(selectSettings(settings, "memorySearch.remote.headers").settings.length, 1);
  const { settings: ofAgent } = selectSettings(settings, "agents.defaults");
  assert.ok(ofAgent.some(({ key }) => key === "memorySearch.enabled"));
  assert.ok(ofAgent.every(({ key }) => !key.startsWith("models.")));
});

test("for an unknown key, the nearest one is suggested", () => {
  const message = (key: string) => {
    try {
      selectSettings(settings, key);
    } catch (error) {
      return (error as Error).message;
    }
    return assert.fail(`${key} should not exist`);
  };
  assert.equal(
    message("memorySearch.query.maxResult"),
    'There is no setting "memorySearch.query.maxResult"; did you mean "memorySearch.query.maxResults"?',
  );
  assert.match(message("maxResults"), /did you mean "memorySearch\.query\.maxResults"/);
  assert.match(message("memorySerch"), /did you mean "memorySearch"/);
  assert.equal(message("zzz"), 'There is no setting "zzz".');
  assert.throws(() => selectSettings(settings, ""), { code: "usage" });
});
