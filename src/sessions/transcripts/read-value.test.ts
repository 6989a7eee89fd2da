import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseLargeJson } from "./read-value.ts";

const pieces = fc.constantFrom(1, 2, 7, 40);

test("reads every JSON value like JSON.parse, whatever the chunk size", async () => {
  const indents = fc.constantFrom("", " ", "\n\t");
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), indents, pieces, async (value, indent, pieceBytes) => {
      const text = JSON.stringify(value, null, indent);
      assert.deepEqual(await parseLargeJson(Buffer.from(text), pieceBytes), JSON.parse(text));
    }),
    { numRuns: 1000 },
  );
});

test("refuses every text that JSON.parse refuses", async () => {
  const parts = fc.constantFrom(
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    '"a"',
    '"',
    "\\",
    "1",
    "-",
    "true",
    "nul",
    " ",
    "é",
  );
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: parts, maxLength: 12 }), pieces, async (text, pieceBytes) => {
      assert.deepEqual(
        await outcomeOf(() => parseLargeJson(Buffer.from(text), pieceBytes)),
        await outcomeOf(() => JSON.parse(text)),
      );
    }),
    { numRuns: 5000 },
  );
});

test("reads values that are nested a million times, and names of built-in object properties", async () => {
  const deep = Buffer.from("[".repeat(1_000_000) + "]".repeat(1_000_000));
  assert.ok(Array.isArray(await parseLargeJson(deep, 1000)));
  const value = await parseLargeJson(Buffer.from('{"__proto__": {"a": [1, 2]}, "b": 1, "b": 2}'), 1);
  assert.deepEqual(Object.entries(value as object), [
    ["__proto__", { a: [1, 2] }],
    ["b", 2],
  ]);
});

async function outcomeOf(parse: () => unknown): Promise<unknown> {
  try {
    return { value: await parse() };
  } catch (error) {
    assert.ok(error instanceof SyntaxError);
    return "refused";
  }
}
