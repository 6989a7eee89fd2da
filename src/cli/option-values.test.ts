import assert from "node:assert/strict";
import { test } from "node:test";
import { LonghandError } from "../errors.ts";
import type { OptionDefinition } from "./command.ts";
import { parseOptionValue } from "./option-values.ts";

const count: OptionDefinition = {
  flags: "-n, --count <N>",
  type: { kind: "integer", min: 1, max: 20 },
  description: "",
};
const score: OptionDefinition = {
  flags: "--score <X>",
  type: { kind: "number", min: 0, max: 1 },
  description: "",
};
const source: OptionDefinition = {
  flags: "--source <S>",
  type: { kind: "choice", choices: ["a", "b"] },
  description: "",
};
const folder: OptionDefinition = { flags: "--dir <DIR>", type: { kind: "folder" }, description: "" };

for (const [option, text, value] of [
  [count, "1", 1],
  [count, "20", 20],
  [count, "+3", 3],
  [score, "0.35", 0.35],
  [score, ".5", 0.5],
  [score, "1", 1],
  [source, "b", "b"],
  [folder, "x y", "x y"],
] as const) {
  test(`${option.flags} takes ${text}`, () => assert.equal(parseOptionValue(option, text), value));
}

for (const [option, text, hint] of [
  [count, "0", "from 1 to 20"],
  [count, "21", "from 1 to 20"],
  [count, "2.5", "a whole number"],
  [count, "0x10", "a whole number"],
  [count, "1e1", "a whole number"],
  [count, "", "a whole number"],
  [count, "ten", "a whole number"],
  [score, "1.01", "a number from 0 to 1"],
  [score, "-0.1", "a number from 0 to 1"],
  [score, "NaN", "a number from 0 to 1"],
  [score, "Infinity", "a number from 0 to 1"],
  [source, "c", "one of: a, b"],
  [folder, "", "the path of a folder"],
] as const) {
  test(`${option.flags} refuses ${JSON.stringify(text)} and says what it takes`, () => {
    assert.throws(
      () => parseOptionValue(option, text),
      (error) => error instanceof LonghandError && error.code === "usage" && error.hint.includes(hint),
    );
  });
}
