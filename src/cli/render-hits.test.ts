import assert from "node:assert/strict";
import { test } from "node:test";
import { stripVTControlCharacters, styleText } from "node:util";
import fc from "fast-check";
import type { SearchAnswer, SearchHit } from "../search/search.ts";
import type { View } from "./output.ts";
import { markRanges, renderHits } from "./render-hits.ts";

const hit: SearchHit = {
  path: "memory/2026-03-01.md",
  startLine: 12,
  endLine: 15,
  score: 0.824,
  snippet: "We ship on Fridays only.\r\n\r\nNever on Mondays.\n",
  source: "memory",
  citation: "memory/2026-03-01.md#L12-L15",
  headings: ["Release", "Schedule"],
  date: "2026-03-01",
  textScore: 0.824,
  vectorScore: null,
};

function answer(...results: SearchHit[]): SearchAnswer {
  return {
    results,
    confidence: 0.8,
    confidenceLevel: "high",
    mode: "keyword",
    provider: "none",
    model: null,
    degraded: [],
    stale: false,
  };
}

const pipe: View = { terminal: false, width: null, paint: (_, text) => text, link: (text) => text };
const terminal: View = {
  terminal: true,
  width: 40,
  paint: (style, text) => styleText(style, text, { validateStream: false }),
  link: (text, url) => `<${url}>${text}</>`,
};
const look = {
  matches: (text: string) => [...text.matchAll(/ship/g)].map(({ index }) => [index, index + 4] as const),
  fileUrl: (path: string) => `file:///w/${path}`,
};

test("through a pipe a hit is a line that begins with path:line, and its snippet indented", () => {
  assert.equal(
    renderHits(answer(hit), pipe, look),
    [
      "memory/2026-03-01.md:12-15  0.82  2026-03-01  Release > Schedule",
      "  We ship on Fridays only.",
      "  Never on Mondays.",
    ].join("\n"),
  );
});

test("an empty line separates hits, and missing fields are left out", () => {
  const { date: _, ...undated } = hit;
  const bare = { ...undated, path: "MEMORY.md", startLine: 3, endLine: 3, headings: [], snippet: "x" };
  assert.equal(
    renderHits(answer(bare, bare), pipe, look),
    "MEMORY.md:3  0.82\n  x\n\nMEMORY.md:3  0.82\n  x",
  );
});

test("a date that is also the title is shown once", () => {
  const [title] = renderHits(answer({ ...hit, headings: ["2026-03-01", "Release"] }), pipe, look).split("\n");
  assert.equal(title, "memory/2026-03-01.md:12-15  0.82  2026-03-01  Release");
});

test("on a terminal the place is a link, the score a bar, and matched words are marked", () => {
  const text = renderHits(answer(hit), terminal, look);
  assert.ok(text.startsWith("<file:///w/memory/2026-03-01.md>"));
  assert.match(text, /████/);
  const [title, below] = stripVTControlCharacters(text).split("\n");
  assert.equal(title, "<file:///w/memory/2026-03-01.md>memory/2026-03-01.md:12-15</>");
  assert.equal(below, "    ████▏ 0.82  2026-03-01", "what does not fit continues below, between words");
  assert.ok(text.includes(styleText(["bold", "underline"], "ship", { validateStream: false })));
  assert.ok(stripVTControlCharacters(text).includes("  We ship on Fridays only."));
});

test("long lines are wrapped to the terminal and keep their indentation", () => {
  const long = { ...hit, snippet: "word ".repeat(30).trim() };
  const lines = stripVTControlCharacters(renderHits(answer(long), terminal, look))
    .split("\n")
    .slice(3);
  // The title takes three lines of this width. 38 columns hold seven of the thirty words.
  assert.equal(lines.length, 5);
  for (const line of lines) assert.ok(line.startsWith("  word") && line.length <= 40, line);
});

test("a note cannot send escape sequences to the terminal", () => {
  const evil = {
    ...hit,
    snippet: "a\u001b]0;owned\u0007b",
    headings: ["\u001b[31m"],
    path: "memory/\u202e.md",
  };
  assert.ok(!/[\u001b\u0007\u202e]/.test(renderHits(answer(evil), pipe, look)));
});

const bracket = (part: string) => `[${part}]`;

test("ranges are marked in place", () => {
  assert.equal(
    markRanges(
      "we ship on Fridays",
      [
        [3, 7],
        [11, 18],
      ],
      bracket,
    ),
    "we [ship] on [Fridays]",
  );
});

test("overlapping, empty and unordered ranges mark nothing twice", () => {
  assert.equal(
    markRanges(
      "abcdef",
      [
        [2, 4],
        [0, 3],
        [5, 5],
      ],
      bracket,
    ),
    "[abc][d]ef",
  );
});

test("removing the marks restores the text", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", " ", "日") });
  const range = fc.tuple(fc.nat(20), fc.nat(20)).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
  fc.assert(
    fc.property(text, fc.array(range), (plain, ranges) => {
      assert.equal(markRanges(plain, ranges, bracket).replace(/[[\]]/g, ""), plain);
    }),
    { seed: 3 },
  );
});
