import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createAnalyzer } from "./analyze.ts";
import { createIndexTokens } from "./index-tokens.ts";

const analyzer = createAnalyzer();

/** The tokens that the analyzer's visitor gets. */
function joinVisited(text: string): string {
  const words: string[] = [];
  const extras: string[] = [];
  analyzer.scan(
    text,
    (token) => words.push(token),
    (token) => extras.push(token),
  );
  return extras.length === 0 ? words.join(" ") : `${words.join(" ")} ${extras.join(" ")}`;
}

test("the tokens of a text are those that a scan of it visits", () => {
  const indexTokens = createIndexTokens();
  const piece = fc.oneof(
    fc.string({ unit: "binary", maxLength: 6 }),
    fc.string({ unit: "grapheme", maxLength: 6 }),
    fc.constantFrom(
      ...["it's", "l’été", "don't", "maxResults", "max_results", "--dry-run", "@name", "#12", "a::b", "x->y"],
      ...[
        "./",
        "a.b/c-d",
        "--",
        "漢字かな",
        "漢a",
        "ภาษาไทย",
        "ｶﾞ",
        "𠮷野",
        "\ud800",
        "deadbeef1",
        "APIs",
        "Straße",
      ],
      ...[
        "_",
        "--\u0301",
        "\u00ad",
        " ",
        "\n",
        "<!-- from: tool 14:05 -->",
        "x".repeat(70),
        `${"y".repeat(64)}-z`,
      ],
    ),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), fc.constantFrom("", " ", "-", "'"), (pieces, between) => {
      const text = pieces.join(between);
      assert.equal(indexTokens(text).toString(), joinVisited(text).toWellFormed());
    }),
    { seed: 31, numRuns: 2000 },
  );
});

test("more distinct words than the cache holds give the same tokens", () => {
  const indexTokens = createIndexTokens();
  for (let first = 0; first < 120_000; first += 40_000) {
    const text = Array.from({ length: 40_000 }, (_, i) => `w${first + i}`).join(" ");
    assert.equal(indexTokens(text).toString(), joinVisited(text));
  }
  const many = Array.from({ length: 230_000 }, (_, i) => `v${i}x`).join(" ");
  assert.equal(indexTokens(many).toString(), joinVisited(many));
  assert.equal(indexTokens("running Läufer").toString(), joinVisited("running Läufer"));
});
