import assert from "node:assert/strict";
import { test } from "node:test";
import { describeMismatch, describeRule, fitsRule, type ValueRule } from "./value-rule.ts";

const count: ValueRule = { kind: "number", min: 1, max: 20, whole: true };
const weight: ValueRule = { kind: "number", min: 0, max: Number.POSITIVE_INFINITY, whole: false };
const mode: ValueRule = { kind: "choice", choices: ["fast", "exact"] };

test("A value fits its rule by type, range and choice", () => {
  const fitting: [ValueRule, unknown[], unknown[]][] = [
    [{ kind: "flag" }, [true, false], ["true", 1, null]],
    [{ ...count, max: Number.POSITIVE_INFINITY }, [1, 2 ** 53 - 1], [2 ** 53, 1e308]],
    [count, [1, 20], [0, 21, 1.5, Number.NaN, "3"]],
    [weight, [0, 0.5, 1e300], [-0.1, Number.POSITIVE_INFINITY]],
    [mode, ["fast", "exact"], ["slow", "", ["fast"], undefined]],
  ];
  for (const [rule, good, bad] of fitting) {
    for (const value of good) assert.ok(fitsRule(value, rule), `${value}`);
    for (const value of bad) assert.ok(!fitsRule(value, rule), `${value}`);
  }
});

test("A rule describes valid values", () => {
  assert.deepEqual(
    [count, weight, mode, { kind: "flag" } as const].map((rule) => describeRule(rule)),
    ["a whole number from 1 to 20", "a number, 0 or more", 'one of "fast", "exact"', "true or false"],
  );
  assert.equal(describeRule(mode, String), "one of fast, exact");
});

test("A mismatch shows a number or an invalid choice, and otherwise only the type", () => {
  assert.equal(describeMismatch(21, count), "must be a whole number from 1 to 20, but is 21");
  const many: ValueRule = { ...count, max: Number.POSITIVE_INFINITY };
  assert.equal(
    describeMismatch(1e308, many),
    "must be a whole number, 1 or more, but is 1e+308, which is too large",
  );
  assert.equal(describeMismatch("21", count), "must be a whole number from 1 to 20, but is a string");
  assert.equal(describeMismatch("slow", mode), 'must be one of "fast", "exact", but is "slow"');
  assert.equal(describeMismatch([], mode), 'must be one of "fast", "exact", but is a list');
  assert.equal(describeMismatch(null, { kind: "flag" }), "must be true or false, but is null");
});
