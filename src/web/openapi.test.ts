import assert from "node:assert/strict";
import { test } from "node:test";
import { apiRoutes, describeApi } from "./api-routes.ts";

type Json = ReturnType<typeof JSON.parse>;
const document: Json = JSON.parse(JSON.stringify(describeApi(apiRoutes, { version: "1.2.3" })));
const operations: readonly { path: string; method: string; operation: Json }[] = Object.entries(
  document.paths as Record<string, Record<string, Json>>,
).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

test("Every route is in the document, once, and nothing else is", () => {
  const described = operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  assert.deepEqual(described.sort(), apiRoutes.map(({ method, path }) => `${method} ${path}`).sort());
  const names = operations.map(({ operation }) => operation.operationId);
  assert.equal(new Set(names).size, names.length);
});

test("Each route describes its input and its output", () => {
  assert.match(document.openapi, /^3\.1\.\d$/);
  assert.ok(document.info.title !== "" && document.info.version === "1.2.3");
  for (const { method, path, operation } of operations) {
    const route = apiRoutes.find((each) => each.path === path && each.method.toLowerCase() === method)!;
    assert.ok(operation.summary.length > 0, path);
    assert.ok(operation.responses["200"].description.length > 0, path);
    assert.equal(
      operation.responses.default.content["application/json"].schema.$ref,
      "#/components/schemas/Error",
    );
    const fields = Object.keys(route.input.properties);
    if (method === "get") {
      assert.deepEqual(
        operation.parameters.map(({ name }: { name: string }) => name),
        fields,
      );
      for (const parameter of operation.parameters) {
        assert.equal(parameter.in, "query");
        assert.equal(parameter.required, route.input.required.includes(parameter.name));
        assert.ok(parameter.description.length > 0, `${path} ${parameter.name}`);
      }
    } else {
      assert.deepEqual(operation.requestBody.content["application/json"].schema, route.input);
      for (const [name, { description }] of Object.entries(route.input.properties)) {
        assert.ok(description, `${path} ${name}`);
      }
    }
  }
});

test("Schemas use only keywords of JSON Schema, and every reference resolves", () => {
  const types = ["string", "integer", "number", "boolean", "array", "object", "null"];
  const checkSchema = (schema: Json, where: string): void => {
    for (const type of [schema.type ?? []].flat()) assert.ok(types.includes(type), `${where}: ${type}`);
    for (const name of schema.required ?? []) assert.ok(name in schema.properties, `${where}: ${name}`);
    for (const [name, inner] of Object.entries(schema.properties ?? {}))
      checkSchema(inner, `${where}.${name}`);
    if (schema.items) checkSchema(schema.items, `${where}[]`);
    if (schema.$ref)
      assert.ok(schema.$ref.slice("#/components/schemas/".length) in document.components.schemas);
  };
  let seen = 0;
  const walk = (value: Json, where: string): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      if (name === "schema") {
        seen++;
        checkSchema(inner, where);
      } else walk(inner, `${where}/${name}`);
    }
  };
  walk(document, "");
  assert.ok(seen > apiRoutes.length * 2);
});
