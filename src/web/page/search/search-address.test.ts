import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { emptySearch, readSearch, type SearchState, writeSearch } from "./search-address.ts";

test("An empty search has no query string, and no query string is an empty search", () => {
  assert.equal(writeSearch(emptySearch), "");
  assert.deepEqual(readSearch(""), emptySearch);
});

test("Invalid parts of an address are ignored", () => {
  assert.deepEqual(readSearch("?q=a&source=elsewhere&since=soon&until=2026-1-1&explain=yes"), {
    ...emptySearch,
    query: "a",
  });
});

test("Every search survives a round trip through an address", () => {
  const day = fc.constantFrom("", "2026-03-02", "1999-12-31");
  const states: fc.Arbitrary<SearchState> = fc.record(
    {
      query: fc.string({ unit: "grapheme" }),
      source: fc.constantFrom("", "memory", "sessions"),
      since: day,
      until: day,
      path: fc.string(),
      tag: fc.string(),
      explain: fc.boolean(),
    },
    { noNullPrototype: true },
  );
  fc.assert(
    fc.property(states, (state) => {
      assert.deepEqual(readSearch(writeSearch(state)), state);
    }),
    { seed: 5, numRuns: 300 },
  );
});
