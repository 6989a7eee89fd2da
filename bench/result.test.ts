import assert from "node:assert/strict";
import { test } from "node:test";
import { type Bar, bars } from "./bars.ts";
import { updateBenchmarksPage } from "./benchmarks-page.ts";
import { parts } from "./parts.ts";
import { createResult, mergeResults, type Outcome } from "./result.ts";
import { resultTable } from "./result-table.ts";

const machine = {
  processor: "P",
  cores: 2,
  memoryBytes: 2 ** 33,
  platform: "linux x64",
  node: "24",
  sqlite: "3",
};
const fast: Bar = { id: "fast", part: "query", what: "a question", unit: "ms", judged: "ours", atMost: 10 };
const small: Bar = {
  ...{ id: "small", part: "vectors", what: "size", reference: "theirs", unit: "bytes", judged: "share" },
  ...{ atMost: 0.25, whenQuick: 0.5, isExact: true },
};

function resultOf(
  outcomes: Outcome[],
  { mode = "full", date = "2026-01-01" }: { mode?: "full" | "quick"; date?: string } = {},
) {
  const context = { machine, loadBefore: 0, durationMs: 1000 };
  return createResult({ bars: [fast, small], outcomes, mode, date, ...context });
}

const fastOutcome = (ours: number): Outcome => ({ part: "query", result: { figures: { fast: { ours } } } });
const smallOutcome: Outcome = {
  part: "vectors",
  result: { figures: { small: { ours: 40e6, reference: 100e6, detail: "10 chunks" } } },
};

test("every row has a unique id, an existing part, and at most one limit", () => {
  assert.equal(new Set(bars.map(({ id }) => id)).size, bars.length);
  for (const { id, part, atLeast, atMost, judged, reference } of bars) {
    assert.ok(part in parts, id);
    assert.ok(atLeast === undefined || atMost === undefined, id);
    assert.ok(judged === "ours" || reference, id);
  }
});

test("a result fails if a limit is missed, or if a part failed", () => {
  assert.equal(resultOf([fastOutcome(9)]).ok, true);
  assert.equal(resultOf([fastOutcome(11)]).ok, false);
  const broken = resultOf([{ part: "query", message: "no disk" }]);
  assert.equal(broken.ok, false);
  assert.match(resultTable(broken), /✗ query could not be measured: no disk/);
});

test("a quick run uses its own limits, and tolerates times that a full one does not", () => {
  const quick = resultOf([fastOutcome(15), smallOutcome], { mode: "quick" });
  assert.deepEqual(
    quick.rows.map(({ verdict }) => verdict),
    ["tolerated", "met"],
  );
  assert.equal(quick.ok, true);
  assert.equal(resultOf([smallOutcome]).ok, false);
  assert.match(resultTable(quick), /~ a question +15 ms {2}≤ 10 ms/);
  assert.match(resultTable(quick), /1 of 2 bars met, 0 missed, 1 tolerated/);
});

test("a later run replaces what it measured and keeps the rest of the same machine", () => {
  const earlier = resultOf([fastOutcome(11), smallOutcome]);
  const now = resultOf([fastOutcome(8)], { date: "2026-02-02" });
  const merged = mergeResults(earlier, now, [fast, small]);
  assert.deepEqual(
    merged.rows.map(({ id, value, date }) => [id, value, date]),
    [
      ["fast", 8, "2026-02-02"],
      ["small", 0.4, "2026-01-01"],
    ],
  );
  assert.equal(merged.ok, false);
  const elsewhere = { ...now, machine: { ...machine, cores: 8 } };
  assert.equal(mergeResults(earlier, elsewhere, [fast, small]), elsewhere);
  assert.equal(mergeResults(null, now, [fast, small]), now);
});

test("only the measured part of the page is replaced", () => {
  const marks = ["<!-- measured: written by `npm run bench -- --write-docs` -->", "<!-- /measured -->"];
  const page = `# Head\n\n${marks.join("\nold\n")}\n\n## Limits\n`;
  const updated = updateBenchmarksPage(page, resultOf([smallOutcome]));
  assert.ok(updated.startsWith(`# Head\n\n${marks[0]}\n`));
  assert.ok(updated.endsWith(`${marks[1]}\n\n## Limits\n`));
  assert.ok(!updated.includes("old"));
  assert.ok(updated.includes("| ✗ | size | **0.4×** | ≤ 0.25× | 40 MB | 100 MB: theirs | 10 chunks |"));
  assert.equal(updateBenchmarksPage(updated, resultOf([smallOutcome])), updated);
  assert.throws(() => updateBenchmarksPage("# Head\n", resultOf([])), /lacks/);
});
