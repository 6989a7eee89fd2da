import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { diversify } from "./diversify.ts";

interface Item {
  readonly id: number;
  readonly score: number;
  readonly words: readonly string[];
}

const spread = (items: readonly Item[], lambda: number) =>
  diversify(items, { lambda, tokensOf: ({ words }) => new Set(words) });

/** From the definition: nothing remembered from one pick to the next. */
function naive(items: readonly Item[], lambda: number): Item[] {
  const likeness = (a: Item, b: Item): number => {
    const all = new Set([...a.words, ...b.words]);
    const shared = [...new Set(a.words)].filter((word) => b.words.includes(word)).length;
    return all.size === 0 ? 1 : shared / all.size;
  };
  const picked: Item[] = [];
  let rest = [...items];
  while (rest.length > 0) {
    const worth = (item: Item) =>
      lambda * item.score - (1 - lambda) * Math.max(0, ...picked.map((other) => likeness(item, other)));
    const most = Math.max(...rest.map(worth));
    const next = rest.find((item) => worth(item) === most)!;
    picked.push(next);
    rest = rest.filter((item) => item !== next);
  }
  return picked;
}

const items = fc
  .array(
    fc.record({
      score: fc.double({ min: 0, max: 1, noNaN: true }),
      words: fc.array(fc.constantFrom("a", "b", "c", "d", "e"), { maxLength: 5 }),
    }),
    { maxLength: 12 },
  )
  .map((all) => all.map((item, id) => ({ ...item, id })));

test("Picks what the definition picks", () => {
  fc.assert(
    fc.property(items, fc.double({ min: 0, max: 1, noNaN: true }), (all, lambda) => {
      assert.deepEqual(spread(all, lambda), naive(all, lambda));
    }),
    { seed: 71, numRuns: 500 },
  );
});

test("Loses nothing, and with lambda 1 only sorts", () => {
  fc.assert(
    fc.property(items, (all) => {
      const ids = (some: readonly Item[]) => some.map(({ id }) => id);
      assert.deepEqual(new Set(ids(spread(all, 0.7))), new Set(ids(all)));
      assert.deepEqual(ids(spread(all, 1)), ids([...all].sort((a, b) => b.score - a.score)));
    }),
    { seed: 72, numRuns: 200 },
  );
});

test("A near-copy of the best goes behind something else", () => {
  const copy = ["ship", "on", "fridays"];
  const order = spread(
    [
      { id: 1, score: 0.9, words: copy },
      { id: 2, score: 0.89, words: copy },
      { id: 3, score: 0.6, words: ["port", "of", "staging"] },
    ],
    0.5,
  );
  assert.deepEqual(
    order.map(({ id }) => id),
    [1, 3, 2],
  );
});

test("A lambda beyond its range counts as its end", () => {
  const all = [
    { id: 1, score: 0.9, words: ["a"] },
    { id: 2, score: 0.8, words: ["a"] },
    { id: 3, score: 0.1, words: ["b"] },
  ];
  assert.deepEqual(spread(all, 1.5), spread(all, 1));
  assert.deepEqual(spread(all, -0.5), spread(all, 0));
});
