import assert from "node:assert/strict";
import { test } from "node:test";
import { markRanges } from "../cli/render-hits.ts";
import { createMatcher } from "./query-matches.ts";

for (const [query, text, marked] of [
  [
    "when do we ship?",
    "We ship on Fridays; shipping on Mondays is out.",
    "We [ship] on Fridays; [shipping] on Mondays is out.",
  ],
  ["CAFÉ", "the cafe and the Café", "the [cafe] and the [Café]"],
  ["出荷日", "毎週の出荷日は金曜日です。", "毎週の[出荷][日]は金曜日です。"],
  ["deploy key", "nothing of the kind", "nothing of the kind"],
  ["(.*)+[", "a (.*) b", "a (.*) b"],
] as const) {
  test(`${query} is marked in: ${text}`, () => {
    assert.equal(
      markRanges(text, createMatcher(query)(text), (part) => `[${part}]`),
      marked,
    );
  });
}
