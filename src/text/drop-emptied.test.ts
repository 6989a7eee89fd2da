import assert from "node:assert/strict";
import { test } from "node:test";
import json5 from "json5";
import { dropEmptied } from "./drop-emptied.ts";
import { patchJson } from "./json-patch.ts";

function change(text: string, after: unknown): string {
  const before = json5.parse<unknown>(text);
  const dropped = dropEmptied(patchJson(text, before, after), before, after);
  assert.deepEqual(json5.parse(dropped.text), dropped.value);
  return dropped.text;
}

test("an object that a change left empty is removed, and so are those that held nothing else", () => {
  assert.equal(change("{\n  a: { b: { c: 1 } },\n  d: 2,\n}\n", { a: { b: {} }, d: 2 }), "{\n  d: 2,\n}\n");
  assert.equal(change('{"a": {"b": 1}, "d": 2}', { a: {}, d: 2 }), '{ "d": 2}');
  assert.equal(change("{ d: 2, a: { b: 1 } }", { d: 2, a: {} }), "{ d: 2 }");
  assert.equal(
    change("{ list: [{ id: 1, a: { b: 1 } }] }", { list: [{ id: 1, a: {} }] }),
    "{ list: [{ id: 1 }] }",
  );
});

test("what was empty before, items of lists and the root stay", () => {
  assert.equal(change("{ e: {}, a: { b: 1, c: {} } }", { e: {}, a: { c: {} } }), "{ e: {}, a: { c: {} } }");
  assert.equal(change("{ list: [{ a: 1 }] }", { list: [{}] }), "{ list: [{ }] }");
  assert.equal(change("{ a: 1 }", {}), "{ }");
});

test("an object with a comment in it stays, and so does the comment", () => {
  const text = "{\n  a: {\n    // c: 3,\n    b: 1,\n  },\n}\n";
  assert.equal(change(text, { a: {} }), "{\n  a: {\n    // c: 3,\n  },\n}\n");
  assert.equal(
    change("{\n  // of a\n  a: { b: 1 },\n  d: 2,\n}", { a: {}, d: 2 }),
    "{\n  // of a\n  d: 2,\n}",
  );
});
