import assert from "node:assert/strict";
import { test } from "node:test";
import type { Difference, Differences } from "../eval/compare.ts";
import { metricNames } from "../eval/metrics.ts";
import type { Report, Row } from "../eval/report.ts";
import type { View } from "./output.ts";
import { renderEvaluation } from "./render-evaluation.ts";
import { displayWidth } from "./text-width.ts";

function row(value: number, more: Partial<Row> = {}): Row {
  const metrics = Object.fromEntries(metricNames.map((name) => [name, value]));
  return {
    ...(metrics as Record<(typeof metricNames)[number], number>),
    n: 12,
    p50Ms: 1.5,
    p95Ms: 20,
    ...more,
  };
}

function differences(found: Difference): Differences {
  return Object.fromEntries(metricNames.map((name) => [name, found])) as Differences;
}

function view(width = Number.POSITIVE_INFINITY): View {
  return { terminal: Number.isFinite(width), width, paint: (_, text) => text, link: (text) => text };
}

const report: Report = {
  rows: { first: row(0.25, { noAnswerEmpty: 0.5 }), 第二: row(1), macro: row(0.625, { noAnswerEmpty: 0.5 }) },
  warnings: [],
};

test("Each set is a line with its figures under their names", () => {
  const [head, first, second, macro, ...rest] = renderEvaluation(report, view(200)).split("\n");
  assert.match(head!, /^set +n +nDCG@10 +MRR@10 .* empty +no answer: empty +p50 ms +p95 ms$/);
  assert.match(first!, /^first +12 +0\.250 .* 0\.500 +1\.5 +20\.0$/);
  assert.match(second!, /^第二 +12 +1\.000/);
  assert.match(macro!, /^macro +12 +0\.625/);
  assert.deepEqual(rest, []);
  const ends = [head, first, second, macro].map((line) => displayWidth(line!));
  assert.equal(new Set(ends).size, 1, "columns stand under each other");
});

test("The mean over a single set is left out", () => {
  const text = renderEvaluation({ rows: { only: row(0.5), macro: row(0.5) }, warnings: [] }, view());
  assert.doesNotMatch(text, /macro/);
});

test("Parts of a set are listed below it", () => {
  const rows = { a: row(0.5, { by: { de: row(0), en: row(1) } }), b: row(1), macro: row(0.75) };
  const names = renderEvaluation({ rows, warnings: [] }, view(200))
    .split("\n")
    .map((line) => line.split(/ {2,}/)[0]);
  assert.deepEqual(names, ["set", "a", "a / de", "a / en", "b", "macro"]);
});

test("Columns that do not fit go into tables below, also through a pipe", () => {
  const piped = renderEvaluation(report, view()).split("\n");
  assert.ok(Math.max(...piped.map(displayWidth)) <= 80);
  for (const width of [40, 60, 80, 100]) {
    const lines = renderEvaluation(report, view(width)).split("\n");
    assert.ok(
      lines.every((line) => displayWidth(line) <= width),
      `fits into ${width} columns`,
    );
    const text = lines.join("\n");
    for (const name of [...metricNames, "p95 ms"]) assert.ok(text.includes(name), `${name} at ${width}`);
  }
});

test("A comparison marks the differences that are not chance", () => {
  const clear = { difference: -0.1, low: -0.2, high: -0.01, clear: true };
  const unclear = { difference: 0.0004, low: -0.0004, high: 0.1, clear: false };
  const text = renderEvaluation(
    {
      ...report,
      compare: {
        config: "other.json5",
        rows: report.rows,
        differences: { first: differences(clear), 第二: differences(unclear), macro: differences(clear) },
      },
    },
    view(),
  );
  assert.match(text, /^first +-0\.100 \[-0\.200, -0\.010\] \*/m);
  assert.match(text, /^第二 +\+0\.000 \[0\.000, \+0\.100\] {2}/m);
  assert.match(text, /other\.json5 minus current settings/);
});

test("Names cannot repaint the terminal", () => {
  const text = renderEvaluation({ rows: { "a\u001b[2J": row(1), macro: row(1) }, warnings: [] }, view());
  assert.ok(!text.includes("\u001b"));
});
