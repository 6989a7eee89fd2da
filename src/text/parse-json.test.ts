import assert from "node:assert/strict";
import { test } from "node:test";
import { parseJson, parseJson5 } from "./parse-json.ts";

test("text that is not JSON is undefined, and nothing else is", () => {
  for (const text of ["", "{", "nul", "{'a': 1}"]) assert.equal(parseJson(text), undefined);
  assert.equal(parseJson("null"), null);
  assert.deepEqual(parseJson(' {"a": [1]} '), { a: [1] });
});

test("line separators in a string are read, and nothing is printed about them", async (t) => {
  const warnings: unknown[] = [];
  const { warn } = console;
  t.after(() => {
    console.warn = warn;
  });
  console.warn = (...parts) => warnings.push(parts);
  assert.deepEqual(await parseJson5("{a: 'b\u2028c\u2029d', /* e */}"), { a: "b\u2028c\u2029d" });
  await assert.rejects(parseJson5('{"type": "user", "text": "torn\u2028 he'));
  assert.deepEqual(warnings, []);
});
