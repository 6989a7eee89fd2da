import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import json5 from "json5";
import { dropEmptied, patchJson } from "./json-patch.ts";

test("everything that is not changed stays as written", () => {
  const text = `// mine
{
    name: 'x', // the name
    "list": [1, /* two */ 2],
    nested: { a: 1, }, /* end */
}
`;
  const patched = patchJson(text, json5.parse(text), {
    name: "x",
    list: [1, 2, 3],
    nested: { a: 1, b: 2 },
    added: { deep: true },
  });
  assert.equal(
    patched,
    `// mine
{
    name: 'x', // the name
    "list": [1, /* two */ 2, 3],
    nested: { a: 1, b: 2, }, /* end */
    added: {
        deep: true
    },
}
`,
  );
});

test("keys are found however they are escaped", () => {
  const text = '{"\\u0061\\x62\\n\\q": 1, "c": 2}';
  assert.equal(patchJson(text, json5.parse(text), { "ab\nq": 3, c: 2 }), text.replace("1,", "3,"));
  assert.equal(patchJson(text, json5.parse(text), { c: 2 }), '{ "c": 2}');
});

test("strict JSON stays strict: no comma is left at an end, and none is missing", () => {
  const text = '{\n  "a": 1,\n  "b": 2\n}\n';
  assert.equal(patchJson(text, { a: 1, b: 2 }, { a: 1 }), '{\n  "a": 1\n}\n');
  assert.equal(patchJson(text, { a: 1, b: 2 }, { b: 2, c: [] }), '{\n  "b": 2,\n  "c": []\n}\n');
  assert.equal(patchJson(text, { a: 1, b: 2 }, { a: 1, c: 3 }), '{\n  "a": 1,\n  "c": 3\n}\n');
});

test("items that stay in a list keep their comments when others are removed or replaced", () => {
  const text = '{\n  "a": [\n    1, // one\n    2,\n    3 // three\n  ]\n}\n';
  assert.equal(
    patchJson(text, { a: [1, 2, 3] }, { a: [1, 3] }),
    '{\n  "a": [\n    1, // one\n    3 // three\n  ]\n}\n',
  );
  assert.equal(patchJson(text, { a: [1, 2, 3] }, { a: [1, 5, 3] }), text.replace("2", "5"));
  const last = patchJson(text, { a: [1, 2, 3] }, { a: [1, 2] });
  assert.deepEqual(json5.parse(last), { a: [1, 2] });
  assert.match(last, /1, \/\/ one/);
});

test("lists with removed, added or changed items become the requested list, among comments", () => {
  const list = fc.array(fc.oneof(fc.integer({ min: 0, max: 4 }), fc.array(fc.integer(), { maxLength: 2 })));
  fc.assert(
    fc.property(list, list, fc.boolean(), fc.boolean(), (before, other, isPart, trailing) => {
      const after = isPart ? before.filter((_, index) => index % 2 === 0) : other;
      const text = JSON.stringify({ a: before }, null, 2).replace(
        /([^{[,\n])\n/g,
        trailing ? "$1, // c\n" : "$1 /* c */\n",
      );
      assert.deepEqual(json5.parse(patchJson(text, { a: before }, { a: after })), { a: after });
    }),
    { seed: 13, numRuns: 500 },
  );
});

test("comments in a list survive a changed, an added and a removed item", () => {
  const text = "{\n  list: [\n    { id: 1 }, // one\n    { id: 2 }, // two\n  ],\n}\n";
  const before = { list: [{ id: 1 }, { id: 2 }] };
  assert.equal(
    patchJson(text, before, { list: [{ id: 1 }, { id: 2, on: true }, { id: 3 }] }),
    "{\n  list: [\n    { id: 1 }, // one\n    { id: 2, on: true }, // two\n    {\n      id: 3\n    },\n  ],\n}\n",
  );
  assert.equal(
    patchJson(text, before, { list: [{ id: 2 }] }),
    "{\n  list: [ // one\n    { id: 2 }, // two\n  ],\n}\n",
  );
});

test("an addition after a comment does not become part of it", () => {
  const text = "{ a: 1 // first\n}";
  assert.deepEqual(json5.parse(patchJson(text, { a: 1 }, { a: 1, b: 2 })), { a: 1, b: 2 });
});

test("an empty object becomes a multi-line one", () => {
  assert.equal(patchJson("{}", {}, { a: { b: 1 } }), '{\n  "a": {\n    "b": 1\n  }\n}');
});

test("Windows line ends and tabs are kept", () => {
  const text = '{\r\n\t"a": 1\r\n}';
  assert.equal(patchJson(text, { a: 1 }, { a: 1, b: 2 }), '{\r\n\t"a": 1,\r\n\t"b": 2\r\n}');
});

test("the last of two equal keys is changed", () => {
  assert.equal(patchJson('{"a": 1, "a": 2}', { a: 2 }, { a: 3 }), '{"a": 1, "a": 3}');
});

test("any change of any JSON gives the requested JSON", () => {
  const json = fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);
  const indent = fc.constantFrom(0, 2, "\t");
  fc.assert(
    fc.property(json, json, indent, (before, after, space) => {
      const text = JSON.stringify(before, null, space);
      assert.deepEqual(JSON.parse(patchJson(text, before, after)), after);
    }),
    { seed: 7, numRuns: 500 },
  );
});

test("objects that share keys are changed member by member, even among comments and trailing commas", () => {
  const key = fc.constantFrom("a", "b", "c", "d", "__proto__x", "with space");
  const leaf = fc.oneof(
    fc.integer(),
    fc.string(),
    fc.constant(null),
    fc.array(fc.integer(), { maxLength: 3 }),
  );
  const value = fc.dictionary(key, fc.oneof(leaf, fc.dictionary(key, leaf, { maxKeys: 4 })), { maxKeys: 5 });
  const plain = (object: unknown) => JSON.parse(JSON.stringify(object)) as unknown;
  fc.assert(
    fc.property(value.map(plain), value.map(plain), fc.boolean(), (before, after, trailing) => {
      const text = JSON.stringify(before, null, 2)
        .replace(/([^{[,\n])\n/g, trailing ? "$1, // c\n" : "$1 /* c */\n")
        .replace(/^\{/, "/* head */ {");
      assert.deepEqual(plain(json5.parse(text)), before);
      assert.deepEqual(plain(json5.parse(patchJson(text, before, after))), after);
    }),
    { seed: 11, numRuns: 500 },
  );
});

test("what follows a removed member does not become part of a comment before it", () => {
  const text = '{ // servers\n  "ours": {}, "theirs": 1 }\n';
  const both = { ours: {}, theirs: 1 };
  assert.equal(patchJson(text, both, { theirs: 1 }), '{ // servers\n  "theirs": 1 }\n');
  assert.deepEqual(json5.parse(patchJson(text, both, {})), {});
});

test("comments and line breaks anywhere between the parts of a text change nothing about the result", () => {
  const gaps = ["", " ", "\n", "\n  ", " // c\n", "// {\n  ", " /* b */ ", "/* b\n */", "\r\n"];
  const key = fc.constantFrom("a", "b", "c", "d");
  const leaf = fc.constantFrom<unknown>(1, null, "a//b", "{", [], {});
  const inner = fc.oneof(leaf, fc.array(leaf, { maxLength: 3 }), fc.dictionary(key, leaf, { maxKeys: 3 }));
  const object = fc.dictionary(key, fc.oneof(inner, fc.array(inner, { maxLength: 3 })), { maxKeys: 4 });
  const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;
  const tokens = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g;
  const places = fc.infiniteStream(fc.constantFrom(...gaps));
  fc.assert(
    fc.property(object.map(plain), object.map(plain), places, (before, after, stream) => {
      const text = JSON.stringify(before).replace(tokens, (token) => token + stream.next().value);
      assert.deepEqual(plain(json5.parse(patchJson(text, before, after))), after);
    }),
    { seed: 5, numRuns: 1000 },
  );
});

function change(text: string, after: unknown): string {
  const before = json5.parse<unknown>(text);
  const dropped = dropEmptied(patchJson(text, before, after), before, after);
  assert.deepEqual(json5.parse(dropped.text), dropped.value);
  return dropped.text;
}

test("an object that a change left empty is removed, and so are parents that contained nothing else", () => {
  assert.equal(change("{\n  a: { b: { c: 1 } },\n  d: 2,\n}\n", { a: { b: {} }, d: 2 }), "{\n  d: 2,\n}\n");
  assert.equal(change('{"a": {"b": 1}, "d": 2}', { a: {}, d: 2 }), '{ "d": 2}');
  assert.equal(change("{ d: 2, a: { b: 1 } }", { d: 2, a: {} }), "{ d: 2 }");
  assert.equal(
    change("{ list: [{ id: 1, a: { b: 1 } }] }", { list: [{ id: 1, a: {} }] }),
    "{ list: [{ id: 1 }] }",
  );
});

test("objects that were empty before, list items and the root stay", () => {
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
