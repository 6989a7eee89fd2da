import assert from "node:assert/strict";
import { test } from "node:test";
import { candidateTokens } from "./candidate-tokens.ts";
import type { QueryTerm } from "./query-terms.ts";

const term = (text: string, chunks: number, forms: readonly string[] = [text]): QueryTerm => ({
  text,
  kind: "word",
  forms: new Map(forms.map((form) => [form, 1])),
  chunks,
  weight: 1,
});

const tokensOf = (...terms: QueryTerm[]) => candidateTokens(terms);

test("Every form of every known word may match", () => {
  assert.deepEqual(tokensOf(term("a", 5, ["a", "aa"]), term("b", 3)), ["b", "a", "aa"]);
  assert.deepEqual(tokensOf(term("unknown", 0)), []);
  assert.deepEqual(tokensOf(), []);
});

test("Very common words do not choose candidates beside rarer ones, however they are ordered", () => {
  const [common, rare] = [term("common", 1_000_000), term("rare", 10)];
  assert.deepEqual(tokensOf(common, rare), ["rare"]);
  assert.deepEqual(tokensOf(rare, common), ["rare"]);
});

test("A question of nothing but common words is still asked", () => {
  assert.deepEqual(tokensOf(term("common", 1_000_000), term("also", 2_000_000)), ["common"]);
});
