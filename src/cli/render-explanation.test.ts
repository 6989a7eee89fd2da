import assert from "node:assert/strict";
import { test } from "node:test";
import type { View } from "./output.ts";
import { renderAnswerExplanation, renderHitExplanation, renderWhyNot } from "./render-explanation.ts";
import { displayWidth } from "./text-width.ts";

const view: View = { terminal: false, width: null, paint: (_, text) => text, link: (text) => text };

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
