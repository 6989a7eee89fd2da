import assert from "node:assert/strict";
import { test } from "node:test";
import { createNamedFile, fileNamesIn, isNamedDay, namedDays } from "./named-notes.ts";

test("A day is understood however it is written", () => {
  for (const query of [
    "what did I do on 4 March 2025",
    "what did I do on March 4, 2025?",
    "the 4th of March 2025",
    "open memory/2025-03-04.md",
    "2025/3/4",
    "Was war am 4. März 2025?",
    "am 04.03.2025",
    "qué hice el 4 de marzo de 2025",
    "qu'ai-je fait le 4 mars 2025",
    "что было 4 марта 2025",
    "2025年3月4日に何をした",
    "2025년 3월 4일",
  ]) {
    assert.deepEqual(namedDays(query), ["2025-03-04"], query);
  }
});

test("A day without a year is that day of any year", () => {
  assert.deepEqual(namedDays("who called on March 4"), ["-03-04"]);
  assert.ok(isNamedDay("2024-03-04", ["-03-04"]));
  assert.ok(!isNamedDay("2024-03-05", ["-03-04"]));
});

test("Numbers with slashes may be read both ways", () => {
  assert.deepEqual(namedDays("3/4/2025"), ["2025-03-04", "2025-04-03"]);
  assert.deepEqual(namedDays("25/4/2025"), ["2025-04-25"]);
});

test("What is no day, or only limits another, is not named", () => {
  for (const query of [
    "in March 2025",
    "version 1.2.2025.4",
    "call 555-1234",
    "2025-13-04",
    "may we ship",
    "",
  ]) {
    assert.deepEqual(namedDays(query), [], query);
  }
  assert.deepEqual(namedDays("the week before 4 March 2025"), []);
  assert.deepEqual(namedDays("since 2025-03-04"), []);
  assert.ok(!isNamedDay(undefined, ["2025-03-04"]));
});

test("A file is named by its name with the ending, its path, or a question of nothing else", () => {
  for (const [query, path] of [
    ["what does deploy-runbook.md say about rollback?", "memory/deploy-runbook.md"],
    ["open memory/2025-03-04.md", "memory/2025-03-04.md"],
    ["open ./memory/2025-03-04.md, please", "memory/2025-03-04.md"],
    ["show /home/me/notes/memory/plans.md", "memory/plans.md"],
    ["roadmap q3.md", "memory/plans/roadmap q3.md"],
    ["Roadmap Q3", "memory/plans/roadmap-q3.md"],
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
