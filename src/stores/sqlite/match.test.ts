import assert from "node:assert/strict";
import { test } from "node:test";
import { matchExpression } from "./match.ts";

test("clauses become quoted phrases, any of which may match", () => {
  assert.equal(matchExpression([{ tokens: ["a"] }, { tokens: ["b", "c"] }]), '"a" OR "b c"');
  assert.equal(matchExpression([{ tokens: ["a", "b"], prefix: true }]), '"a b" *');
});

test("a clause that is there twice is asked once", () => {
  assert.equal(matchExpression([{ tokens: ["a"] }, { tokens: ["a"] }]), '"a"');
});

test("quotes are doubled, a NUL is dropped, and what is empty then is left out", () => {
  assert.equal(matchExpression([{ tokens: ['say "hi"', "x\0y", "\0", " "] }]), '"say ""hi"" xy"');
  assert.equal(matchExpression([{ tokens: ["\0"] }, { tokens: [""] }, { tokens: [] }]), null);
  assert.equal(matchExpression([]), null);
});
