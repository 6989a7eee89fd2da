import assert from "node:assert/strict";
import { test } from "node:test";
import { stripVTControlCharacters } from "node:util";
import type { Step } from "../consolidate/consolidation.ts";
import type { View } from "./output.ts";
import { countShown, renderSteps } from "./render-steps.ts";

const steps = Array.from(
  { length: 25 },
  (_, index): Step => ({
    id: `step${index}`,
    kind: "promote",
    reason: "It states a lasting decision.",
    sources: [],
    changes: [{ path: "MEMORY.md", startLine: 1, before: [], after: [`We keep ${"the boat ".repeat(20)}`] }],
  }),
);

function viewOf(width: number): View {
  return { terminal: Number.isFinite(width), width, paint: (_, text) => text, link: (text) => text };
}

test("a terminal shows the first steps, in lines that fit; a pipe gets all of them as they are", () => {
  const shown = renderSteps(steps, viewOf(60));
  assert.equal(countShown(steps, viewOf(60)), 20);
  assert.match(shown, /step19/);
  assert.doesNotMatch(shown, /step20/);
  for (const line of shown.split("\n")) assert.ok(stripVTControlCharacters(line).length <= 60, line);
  const piped = renderSteps(steps, viewOf(Number.POSITIVE_INFINITY));
  assert.match(piped, /step24/);
  assert.ok(piped.split("\n").some((line) => line.length > 160));
});
