import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import fs from "node:fs/promises";
import { test } from "node:test";
import { promisify } from "node:util";
import { checkConfig } from "./check.ts";
import { createConfigSchema, type JsonSchema } from "./json-schema.ts";
import { allKeys } from "./known-keys.ts";
import { configOptions } from "./options.ts";

const root = new URL("../../", import.meta.url);

test("the generated pages are those of the code as it is now", async () => {
  const run = promisify(execFile)(process.execPath, ["scripts/generate-docs.ts", "--check"], { cwd: root });
  await assert.doesNotReject(run, "run: node scripts/generate-docs.ts");
});

test("the example on the page is a right configuration", async () => {
  const page = await fs.readFile(new URL("docs/configuration.md", root), "utf8");
  const example = /```json5\n([^`]+)```/.exec(page)?.[1] ?? assert.fail("there is no example");
  const { default: json5 } = await import("json5");
  const { problems } = checkConfig({
    options: configOptions,
    value: json5.parse(example),
    env: { MY_OPENAI_KEY: "x" },
  });
  assert.deepEqual(problems, []);
});

test("the page names every key", async () => {
  const page = await fs.readFile(new URL("docs/configuration.md", root), "utf8");
  for (const key of allKeys(configOptions, "")) {
    const parts = key.split(".");
    const named =
      parts.some((_, index) => page.includes(`| \`${parts.slice(index).join(".")}\``)) ||
      page.includes(`## ${key}`);
    const isGroup = allKeys(configOptions, "").some((other) => other.startsWith(`${key}.`));
    assert.ok(named || isGroup, key);
  }
});

test("the schema has a place for every key, and no other", () => {
  const keys = (schema: JsonSchema, key: string): string[] => {
    assert.notEqual(schema["description"], "", key);
    const properties = schema["properties"] as Record<string, JsonSchema> | undefined;
    if (properties === undefined) return [key];
    assert.equal(schema["additionalProperties"], false);
    const inner = Object.entries(properties).filter(([name]) => name !== "$schema");
    return [
      key,
      ...inner.flatMap(([name, property]) => keys(property, key === "" ? name : `${key}.${name}`)),
    ];
  };
  assert.deepEqual(
    keys(createConfigSchema(), "").filter((key) => key !== ""),
    allKeys(configOptions, ""),
  );
});

test("the schema gives ranges, choices and defaults", () => {
  const find = (key: string) =>
    key
      .split(".")
      .reduce(
        (schema, name) => (schema["properties"] as Record<string, JsonSchema>)[name]!,
        createConfigSchema(),
      );
  const { description: _, ...maxResults } = find("agents.defaults.memorySearch.query.maxResults");
  assert.deepEqual(maxResults, { type: "integer", minimum: 1, maximum: 200, default: 6 });
  assert.deepEqual(find("memory.backend")["enum"], ["builtin", "qmd"]);
  const agent = find("agents.list")["items"] as JsonSchema;
  assert.deepEqual(agent["required"], ["id"]);
  assert.ok(!JSON.stringify(agent).includes('"default":'), "an agent's own entry has no defaults");
});
