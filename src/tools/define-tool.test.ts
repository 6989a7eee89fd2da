import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { LonghandError } from "../errors.ts";
import { readInput } from "./define-tool.ts";
import type { ObjectSchema } from "./tool.ts";

const schema: ObjectSchema = {
  type: "object",
  properties: {
    query: { type: "string", minLength: 1 },
    count: { type: "integer", minimum: 1, maximum: 50 },
    floor: { type: "number", minimum: 0, maximum: 1 },
    source: { type: "string", enum: ["memory", "sessions"] },
    explain: { type: "boolean" },
    passages: {
      type: "array",
      items: { type: "object", properties: { line: { type: "integer", minimum: 1 } }, required: ["line"] },
    },
  },
  required: ["query"],
  additionalProperties: false,
};

const read = (input: unknown) => readInput("memory_search", input, schema);

test("Valid input is passed on unchanged", () => {
  const input = { query: "who?", count: 3, floor: 0.5, source: "memory" };
  assert.deepEqual(read(input), input);
});

test("Lists and objects are validated entry by entry", () => {
  const input = { query: "who?", passages: [{ line: "3" }, { line: 4 }] };
  assert.deepEqual(read(input), { query: "who?", passages: [{ line: 3 }, { line: 4 }] });
});

test("Booleans have several spellings", () => {
  for (const yes of [true, "true", "1"]) assert.equal(read({ query: "who?", explain: yes })["explain"], true);
  for (const no of [false, "false", "0"])
    assert.equal(read({ query: "who?", explain: no })["explain"], false);
});

test("Numbers sent as text are numbers, and null means absent", () => {
  for (const count of ["5", "+5", "5.0", "05"]) assert.equal(read({ query: "who?", count })["count"], 5);
  assert.deepEqual(read({ query: "who?", count: "3", floor: null }), { query: "who?", count: 3 });
});

const refusals: readonly [string, unknown, RegExp][] = [
  ["no object", "who?", /not an object/],
  ["a list", ["who?"], /not an object/],
  ["a missing property", { count: 3 }, /query is missing/],
  ["a blank query", { query: " \n" }, /query must not be empty/],
  ["an unknown property", { query: "who?", agent: "other" }, /no property "agent"/],
  ["a property of every object", { query: "who?", constructor: 1 }, /no property "constructor"/],
  ["a number for text", { query: 7 }, /query must be text, but is a number/],
  [
    "text for a number",
    { query: "who?", count: "many" },
    /count must be a whole number from 1 to 50, but is a string/,
  ],
  ...["0x10", "1e1", " 5", "5 ", "0b11", "0o7", "1_0", "٣", "", "5,0"].map(
    (count): [string, unknown, RegExp] => [
      `the text ${JSON.stringify(count)} for a number`,
      { query: "who?", count },
      /whole number/,
    ],
  ),
  ["a fraction for a whole number", { query: "who?", count: 1.5 }, /whole number/],
  ["a number out of range", { query: "who?", count: "51" }, /whole number from 1 to 50, but is 51/],
  ["infinity", { query: "who?", floor: "Infinity" }, /floor must be a number/],
  ["a word for yes or no", { query: "who?", explain: "maybe" }, /explain must be true or false/],
  [
    "one thing for a list",
    { query: "who?", passages: { line: 3 } },
    /passages must be a list, but is an object/,
  ],
  ["a bad entry of a list", { query: "who?", passages: [{ line: 1 }, {}] }, /entry 2 .*line is missing/],
  ["a list in an entry", { query: "who?", passages: [[]] }, /entry 1 .*not an object/],
  ["a word that is no choice", { query: "who?", source: "web" }, /one of "memory", "sessions"/],
];

for (const [what, input, message] of refusals) {
  test(`Refuses ${what} and says what would be valid`, () => {
    assert.throws(
      () => read(input),
      (error: LonghandError) =>
        error.code === "tool-input-invalid" &&
        message.test(error.message) &&
        /query \(string\)/.test(error.hint),
    );
  });
}

test("Any input gives valid values or a refusal", () => {
  fc.assert(
    fc.property(fc.anything(), (input) => {
      try {
        const { count } = read(input) as { count?: number };
        assert.ok(count === undefined || (Number.isInteger(count) && count >= 1 && count <= 50));
      } catch (error) {
        assert.ok(error instanceof LonghandError, String(error));
      }
    }),
    { seed: 7, numRuns: 500 },
  );
});
