import assert from "node:assert/strict";
import { test } from "node:test";
import { createNamedFile, fileNamesIn } from "./named-notes.ts";

test("A file is named by its name with the ending, its path, or a question of nothing else", () => {
  for (const [query, path] of [
    ["what does deploy-runbook.md say about rollback?", "memory/deploy-runbook.md"],
    ["open memory/2025-03-04.md", "memory/2025-03-04.md"],
    ["memory/plans/june.md, the part about rollback", "memory/plans/june.md"],
    ["open ./memory/2025-03-04.md, please", "memory/2025-03-04.md"],
    ["show /home/me/notes/memory/plans.md", "memory/plans.md"],
    ["roadmap q3.md", "memory/plans/roadmap q3.md"],
    ["Roadmap Q3", "memory/plans/roadmap-q3.md"],
    ["What do we know about Roadmap Q3?", "memory/plans/roadmap-q3.md"],
    ["read `DEPLOY-Runbook.md`.", "memory/deploy-runbook.md"],
    ["memory/plans/roadmap-q3", "memory/plans/roadmap-q3.md"],
    ["旅行.md", "memory/旅行.md"],
  ] as const) {
    assert.equal(createNamedFile(query)(path), "exact", query);
  }
});

test("A name without its ending tells less", () => {
  assert.equal(
    createNamedFile("who wrote the deploy-runbook last year?")("memory/deploy-runbook.md"),
    "stem",
  );
});

test("Parts of names, other paths and plain words name nothing", () => {
  for (const [query, path] of [
    ["what does old-deploy-runbook.md say?", "memory/deploy-runbook.md"],
    ["open archive/plans.md", "memory/plans.md"],
    ["plans.md.bak", "memory/plans.md"],
    ["what are the plans for June?", "memory/plans.md"],
    ["what happened in 2025-03", "memory/2025-03.md"],
    ["", "memory/plans.md"],
  ] as const) {
    assert.equal(createNamedFile(query)(path), null, query);
  }
});

test("Names with an ending are found in a sentence", () => {
  assert.deepEqual(fileNamesIn("compare memory/a-b.md and “c.markdown”, not d.mdx"), [
    "a-b.md",
    "c.markdown",
  ]);
});
