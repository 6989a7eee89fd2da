import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { makeTerms } from "../../test/support/query-term.ts";
import { createAnalyzer } from "../text/words/analyze.ts";
import { createMatchFinder, neighbouringPairs } from "./matches.ts";
import type { QueryTerm } from "./query-terms.ts";

const analyzer = createAnalyzer();
const finderOf = (terms: readonly QueryTerm[]) => createMatchFinder(terms, analyzer);

suite("createMatchFinder", () => {
  test("counts each word by line and over the whole text", () => {
    const { counts, totals, lineStarts, length } = finderOf(makeTerms("port staging")).find(
      "# Staging\n\nThe ports of staging: port 1\n",
    );
    assert.deepEqual(
      counts.map((line) => [...line]),
      [
        [0, 1],
        [0, 0],
        [2, 1],
        [0, 0],
      ],
    );
    assert.deepEqual([...totals], [2, 2]);
    assert.deepEqual(lineStarts, [0, 10, 11, 40, 41]);
    assert.equal(length, 7);
  });

  test("counts a weaker form less, and a token of two words for both", () => {
    const terms: QueryTerm[] = [
      {
        text: "house",
        kind: "word",
        forms: new Map([
          ["hous", 1],
          ["home", 0.5],
        ]),
        chunks: 1,
        certainty: 1,
        weight: 1,
      },
      { text: "home", kind: "word", forms: new Map([["home", 1]]), chunks: 1, certainty: 1, weight: 1 },
    ];
    assert.deepEqual([...finderOf(terms).find("house home home").totals], [2, 2]);
  });

  test("measures how close adjacent words of the query are, only within a line", () => {
    const closeness = (text: string) =>
      finderOf(makeTerms("staging port"))
        .find(text)
        .closeness.map(([pair]) => pair);
    assert.deepEqual(closeness("staging port"), [1]);
    assert.deepEqual(closeness("port of staging"), [0.5]);
    assert.deepEqual(closeness("staging\nport"), [0, 0]);
    assert.deepEqual(closeness(`staging ${"word ".repeat(20)}port`), [0]);
    assert.deepEqual(closeness("staging staging"), [0]);
    const last = closeness(`staging ${"word ".repeat(20)}port staging`);
    assert.deepEqual(last, [1], "the closest counts");
  });

  test("sees words next to each other only where both are plain", () => {
    const [plain, exact] = [
      makeTerms("a b c"),
      makeTerms("a b c").map((term, i) => (i === 1 ? { ...term, kind: "exact" as const } : term)),
    ];
    assert.deepEqual(neighbouringPairs(plain), [
      [0, 1],
      [1, 2],
    ]);
    assert.deepEqual(neighbouringPairs(exact), []);
    assert.deepEqual(neighbouringPairs([]), []);
  });

  test("gives the ranges of matched words in the text", () => {
    const text = "The Ports\nof STAGING, a staging-port";
    const places = finderOf(makeTerms("port staging")).positions(text);
    assert.deepEqual(
      places.map(({ start, end, term }) => [text.slice(start, end), term]),
      [
        ["Ports", 0],
        ["STAGING", 1],
        ["staging", 1],
        ["port", 0],
      ],
    );
  });

  test("has nothing to find without terms", () => {
    const { counts, totals } = finderOf([]).find("some\ntext");
    assert.deepEqual([counts.length, counts[0]!.length, totals.length], [2, 0, 0]);
    assert.deepEqual(finderOf([]).positions("text"), []);
  });

  test("agrees with naive counting for any text", () => {
    const words = [
      "port",
      "staging",
      "maxResults",
      "東京都",
      "x",
      "the-port",
      "",
      "\n",
      "\r\n",
      "é",
      "\ud800",
    ];
    const text = fc
      .array(fc.oneof(fc.constantFrom(...words), fc.string({ unit: "binary", maxLength: 4 })), {
        maxLength: 30,
      })
      .map((parts) => parts.join(" "));
    const terms = [...makeTerms("port staging max"), ...makeTerms("東京")];
    const finder = finderOf(terms);
    fc.assert(
      fc.property(text, (whole) => {
        const { counts, totals, lineStarts, closeness, length } = finder.find(whole);
        const lines = whole.split("\n");
        assert.equal(counts.length, lines.length);
        assert.equal(lineStarts.length, lines.length + 1);
        const tokens = (part: string) => analyzer.indexText(part).split(" ").filter(Boolean);
        assert.equal(length, tokens(whole).length);
        for (const [line, text_] of lines.entries()) {
          assert.equal(whole.slice(lineStarts[line], lineStarts[line + 1]! - 1), text_);
          for (const [t, { forms }] of terms.entries()) {
            assert.equal(counts[line]![t], tokens(text_).filter((token) => forms.has(token)).length);
          }
          for (const close of closeness[line]!) assert.ok(close >= 0 && close <= 1);
        }
        assert.deepEqual([...finder.count(whole)], [...totals]);
        assert.equal(
          finder.positions(whole).length,
          totals.reduce((sum, count) => sum + count, 0),
        );
      }),
      { seed: 41, numRuns: 1000 },
    );
  });
});
