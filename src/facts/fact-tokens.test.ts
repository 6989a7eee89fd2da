import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { alignTokens, type FactToken, isOneBlock } from "./fact-tokens.ts";

const word = (text: string): FactToken => ({ key: text, kind: "word", text, isName: false, link: "" });
const wordsOf = (text: string) => text.split(" ").filter(Boolean).map(word);
const sentence = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 7 });

/** A brute-force reference. */
function longestShared(left: readonly string[], right: readonly string[]): number {
  if (left.length === 0 || right.length === 0) return 0;
  const [first, ...rest] = left;
  const at = right.indexOf(first!);
  const without = longestShared(rest, right);
  return at < 0 ? without : Math.max(without, 1 + longestShared(rest, right.slice(at + 1)));
}

test("`shared` is a longest common subsequence, and the rest of each sentence keeps its positions", () => {
  fc.assert(
    fc.property(sentence, sentence, (left, right) => {
      const aligned = alignTokens(left.map(word), right.map(word));
      const shared = aligned.shared.map(({ text }) => text);
      assert.equal(shared.length, longestShared(left, right));
      for (const [whole, rest] of [
        [left, aligned.left],
        [right, aligned.right],
      ] as const) {
        for (const { token, at } of rest) assert.equal(token.text, whole[at]);
        const places = new Set(rest.map(({ at }) => at));
        assert.equal(places.size, rest.length);
        const others = whole.filter((_, at) => !places.has(at));
        assert.deepEqual(others, shared);
      }
    }),
    { seed: 7, numRuns: 500 },
  );
});

test("the difference is one block if nothing shared is within it", () => {
  const { left, right } = alignTokens(wordsOf("we ship on fridays at noon"), wordsOf("we ship at dawn"));
  assert.deepEqual(
    left.map(({ token, at }) => `${token.text} ${at}`),
    ["on 2", "fridays 3", "noon 5"],
  );
  assert.equal(isOneBlock(left), false);
  assert.equal(isOneBlock(left.slice(0, 2)), true);
  assert.equal(isOneBlock(right), true);
});

test("names that only share a stem are two tokens", () => {
  const name = (text: string): FactToken => ({ ...word(text), key: "weber", isName: true });
  assert.equal(alignTokens([name("weber")], [name("webers")]).shared.length, 0);
  assert.equal(alignTokens([name("weber")], [name("weber")]).shared.length, 1);
});
