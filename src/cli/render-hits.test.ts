import assert from "node:assert/strict";
import { test } from "node:test";
import { stripVTControlCharacters, styleText } from "node:util";
import fc from "fast-check";
import type { SearchAnswer, SearchHit } from "../search/search.ts";
import type { View } from "./output.ts";
import {
  markRanges,
  renderAnswerExplanation,
  renderHitExplanation,
  renderHits,
  renderWhyNot,
} from "./render-hits.ts";
import { displayWidth } from "./text-width.ts";

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

const pipe: View = {
  terminal: false,
  width: Number.POSITIVE_INFINITY,
  paint: (_, text) => text,
  link: (text) => text,
};
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

const view: View = {
  terminal: false,
  width: Number.POSITIVE_INFINITY,
  paint: (_, text) => text,
  link: (text) => text,
};

test("the words of a query are listed with their weight, document frequency and treatment", () => {
  const text = renderAnswerExplanation(
    {
      tokens: [
        { token: "ship", chunks: 12, weight: 4 },
        { token: "出荷", chunks: 1, weight: 2, note: "no such word; used shipping" },
      ],
      candidates: { keyword: 24, vector: 0, aboveFloor: 6 },
      timings: { analyze: 0.21, keyword: 3.4 },
    },
    view,
  );
  assert.equal(
    text,
    [
      "Words of the query",
      "  ship  ████████████  4.00  in 12 chunks",
      "  出荷  ██████        2.00  in 1 chunk · no such word; used shipping",
      "Candidates  24 by keyword, 0 semantic, 6 above the floor",
      "Time  analyze 0.2 ms · keyword 3.4 ms",
    ].join("\n"),
  );
});

test("the times of a search fit into the terminal", () => {
  const stages = ["words", "embedding", "candidates", "scores", "facts", "hits"];
  const timings = Object.fromEntries(stages.map((stage) => [stage, 163.5]));
  const candidates = { keyword: 0, vector: 0, aboveFloor: 0 };
  const text = renderAnswerExplanation({ tokens: [], candidates, timings }, { ...view, width: 60 });
  assert.ok(text.split("\n").every((line) => displayWidth(line) <= 60));
  for (const stage of stages) assert.ok(text.includes(stage), stage);
});

test("a query with no word to search for is explained as well", () => {
  const candidates = { keyword: 0, vector: 0, aboveFloor: 0 };
  assert.match(
    renderAnswerExplanation({ tokens: [], candidates, timings: {} }, view),
    /none that can be searched for/,
  );
});

test("each part of a score is a bar and a number", () => {
  const lines = renderHitExplanation(
    {
      terms: [{ term: "ship", weight: 3.2, occurrences: 2, contribution: 0.6 }],
      text: 0.75,
      vector: null,
      decay: 0.5,
      floor: 0.35,
    },
    view,
  );
  assert.deepEqual(lines, [
    "  keyword   █████████    0.750",
    "  ship      ████████████ 0.600  ×2, weight 3.20",
    "  semantic  not used",
    "  floor                  0.350",
    "  decay                  ×0.500",
  ]);
});

test("why-not names the line, the stage and the reason", () => {
  const whyNot = {
    path: "MEMORY.md",
    line: 7,
    stage: "below-floor",
    reason: "It scored 0.21; the floor is 0.35.",
  } as const;
  assert.equal(renderWhyNot(whyNot, view), "MEMORY.md:7  below-floor\n  It scored 0.21; the floor is 0.35.");
});

test("similar words have a line if they cover some of the query", () => {
  const hit = { terms: [], text: 0.5, vector: 0.4, decay: 1, floor: 0.35 };
  const lines = (similarWords: number) => renderHitExplanation({ ...hit, similarWords }, view);
  assert.ok(
    lines(0.25).some((line) => /^ {2}similar words +███ +0\.250$/.test(line)),
    lines(0.25).join("\n"),
  );
  assert.deepEqual(lines(0.001), renderHitExplanation(hit, view));
});
