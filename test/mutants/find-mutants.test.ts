import assert from "node:assert/strict";
import { test } from "node:test";
import { findMutants } from "./find-mutants.ts";
import { applyMutant } from "./mutant.ts";

const mutated = (source: string) => findMutants(source).map((mutant) => applyMutant(source, mutant));

test("Operators, constants, conditions and calls are changed, one at a time", () => {
  assert.deepEqual(mutated("const a = b < 2;"), ["const a = b <= 2;", "const a = b < 0;"]);
  assert.deepEqual(mutated("if (!a) f(b);"), [
    "if (true) f(b);",
    "if (false) f(b);",
    "if (!!a) f(b);",
    "if (!a) ;",
  ]);
  assert.deepEqual(mutated("await save(x.every(isOld));"), [";", "await save(x.some(isOld));"]);
  assert.deepEqual(mutated("const a = b ?? true;"), ["const a = b && true;", "const a = b ?? false;"]);
});

test("Types and joined texts are left alone", () => {
  assert.deepEqual(mutated('type A = 1 | true; const b = c as 2; const d = "e" + f;'), []);
});

test("A method that every object has is left alone", () => {
  assert.deepEqual(mutated("const a = b.toString();"), []);
});

test("A mutant knows its line and says what it changes", () => {
  const [first] = findMutants("const a = 1;\nconst b = a > c;\n").filter(({ line }) => line === 2);
  assert.equal(first?.change, "> → >=");
});
