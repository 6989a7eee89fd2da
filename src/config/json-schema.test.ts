import assert from "node:assert/strict";
import { test } from "node:test";
import { createConfigSchema, type JsonSchema } from "./json-schema.ts";
import { allKeys } from "./known-keys.ts";
import { configOptions } from "./options.ts";

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
