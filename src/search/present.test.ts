import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { makeTerms } from "../../test/support/query-term.ts";
import type { LineRange } from "../text/document.ts";
import { createAnalyzer } from "../text/words/analyze.ts";
import type { RankedPassage } from "./hits.ts";
import { createMatchFinder } from "./matches.ts";
import { explainAnswer, makeSnippet } from "./present.ts";

const finder = createMatchFinder(makeTerms("quokka wallaby"), createAnalyzer());

function snippetOf(
  text: string,
  { core, lines, maxChars = 700 }: { core?: LineRange; lines?: LineRange; maxChars?: number } = {},
) {
  const all = text.split("\n");
  const whole = { start: 1, end: all.length };
  return makeSnippet(
    { lineText: (line) => all[line - 1] ?? "", lines: lines ?? whole, core: core ?? whole, maxChars },
    finder,
  );
}

test("an explained answer names words, other forms and times, rounded", () => {
  const [plain, other] = makeTerms("quokka wallaby", [1.23456, 2]);
  const forms = new Map(["wallaby", "wallabi", "wallabys", "a", "b", "c", "d"].map((form) => [form, 1]));
  const passage = {} as RankedPassage;
  const explained = explainAnswer(
    {
      terms: [plain!, { ...other!, chunks: 7, forms }],
      found: { keyword: 3, vector: 2 },
      aboveFloor: [passage, passage],
    },
    { terms: 1.23456, all: 1234.567 },
  );
  assert.deepEqual(explained, {
    tokens: [
      { token: "quokka", chunks: 1, weight: 1.2345 },
      { token: "wallaby", chunks: 7, weight: 2, note: "also as wallabi, wallabys, a, b, c" },
    ],
    candidates: { keyword: 3, vector: 2, aboveFloor: 2 },
    timings: { terms: 1.23, all: 1234.57 },
  });
});

suite("makeSnippet", () => {
  test("shows the whole hit when it fits", () => {
    const text = "# Animals\n\nThe quokka lives here.\n- and the wallaby";
    assert.equal(snippetOf(text, { core: { start: 3, end: 3 } }), text);
  });

  test("shows the core first, and whole lines around it as far as they fit, those below before those above", () => {
    const text = ["above", "the quokka", "below", "far below"].join("\n");
    const core = { start: 2, end: 2 };
    assert.equal(snippetOf(text, { core, maxChars: 10 }), "the quokka");
    assert.equal(snippetOf(text, { core, maxChars: 15 }), "the quokka");
    assert.equal(snippetOf(text, { core, maxChars: 16 }), "the quokka\nbelow");
    assert.equal(snippetOf(text, { core, maxChars: 21 }), "the quokka\nbelow");
    assert.equal(snippetOf(text, { core, maxChars: 22 }), "above\nthe quokka\nbelow");
    assert.equal(
      snippetOf(text, { core, lines: { start: 2, end: 3 } }),
      "the quokka\nbelow",
      "the hit's lines only",
    );
  });

  test("drops the end of a core that is too long, and keeps its lines whole", () => {
    assert.equal(
      snippetOf("the quokka\nsecond line\nthird line", { maxChars: 24 }),
      "the quokka\nsecond line",
    );
  });

  test("cuts a line that is too long around the matched words, between words", () => {
    const long = `${"before it ".repeat(200)}the quokka and the wallaby ${"after it ".repeat(200)}`;
    const snippet = snippetOf(long, { maxChars: 200 });
    assert.ok(snippet.includes("the quokka and the wallaby"));
    assert.ok(snippet.length <= 200 && snippet.length > 150);
    assert.match(snippet, /^(?:before|it) .* (?:after|it)$/);
  });

  test("shows up to a third of the text before the match and keeps the beginning of the line", () => {
    const line = (words: number) => `${"word ".repeat(words)}quokka ${"word ".repeat(200)}`;
    assert.ok(snippetOf(line(4), { maxChars: 100 }).startsWith("word word word word quokka word"));
    const snippet = snippetOf(line(100), { maxChars: 100 });
    assert.equal(snippet, `${"word ".repeat(6)}quokka ${"word ".repeat(11)}word`);
    const atEnd = `${"word ".repeat(200)}quokka wallaby`;
    assert.ok(snippetOf(atEnd, { maxChars: 100 }).endsWith("word quokka wallaby"));
  });

  test("prefers the stretch with the most different words", () => {
    const long = `quokka quokka ${"x ".repeat(500)}wallaby quokka ${"y ".repeat(500)}`;
    assert.ok(snippetOf(long, { maxChars: 100 }).includes("wallaby quokka"));
  });

  test("shows the match in a line of a script without spaces", () => {
    for (const [before, word, pair, after] of [
      ["天地玄黄", "会议", "会议", "宇宙洪荒"],
      ["กขคง", "ประชุม", "ปร", "จฉชซ"],
    ] as const) {
      const line = before.repeat(100) + word + after.repeat(100);
      const term = {
        text: pair,
        kind: "pair" as const,
        forms: new Map([[pair, 1]]),
        chunks: 1,
        certainty: 1,
        weight: 1,
      };
      const range = { start: 1, end: 1 };
      const snippet = makeSnippet(
        { lineText: () => line, lines: range, core: range, maxChars: 80 },
        createMatchFinder([term], createAnalyzer()),
      );
      assert.ok(snippet.includes(word), snippet);
    }
  });

  test("is always a substring of the hit, within its limit, and never splits a character", () => {
    const piece = fc.oneof(
      fc.constantFrom("quokka", "wallaby", "word", "\n", "  ", "漢字仮名", "😀😀", "𠮷", "e\u0301"),
      fc.string({ unit: "binary", maxLength: 6 }),
      fc.integer({ min: 1, max: 60 }).map((count) => "😀".repeat(count)),
    );
    const text = fc.array(piece, { minLength: 1, maxLength: 60 }).map((parts) => parts.join(" "));
    fc.assert(
      fc.property(text, fc.nat(), fc.nat(), fc.integer({ min: 0, max: 120 }), (whole, a, b, maxChars) => {
        const count = whole.split("\n").length;
        const core = { start: 1 + Math.min(a % count, b % count), end: 1 + Math.max(a % count, b % count) };
        const snippet = snippetOf(whole, { core, maxChars });
        assert.ok(whole.includes(snippet));
        assert.ok(snippet.length <= maxChars, `${snippet.length} of ${maxChars}`);
        if (whole.isWellFormed()) assert.ok(snippet.isWellFormed());
      }),
      { seed: 91, numRuns: 2000 },
    );
  });
});
