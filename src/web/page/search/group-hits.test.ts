import assert from "node:assert/strict";
import { test } from "node:test";
import type { MarkedHit } from "../api.ts";
import { groupHits, titleOf } from "./group-hits.ts";

const hit = (path: string, startLine: number, rest: Partial<MarkedHit> = {}): MarkedHit => ({
  path,
  startLine,
  endLine: startLine,
  score: 0.5,
  snippet: "text",
  source: "memory",
  headings: [],
  textScore: null,
  vectorScore: null,
  ...rest,
});

test("Hits of one note are grouped, and groups are ordered by their best hits", () => {
  const groups = groupHits([hit("a.md", 9), hit("b.md", 1), hit("a.md", 2)]);
  assert.deepEqual(
    groups.map(({ path, hits }) => [path, ...hits.map(({ startLine }) => startLine)]),
    [
      ["a.md", 9, 2],
      ["b.md", 1],
    ],
  );
});

test("A hit is named by its heading, by the heading it begins with, or by its file", () => {
  assert.deepEqual(titleOf(hit("a.md", 1, { headings: ["On call", "Escalation"] })), {
    title: "Escalation",
    above: ["On call"],
  });
  assert.equal(
    titleOf(hit("a.md", 1, { snippet: "---\ntags: x\n---\n\n# Incident 14\nlate" })).title,
    "Incident 14",
  );
  assert.equal(titleOf(hit("memory/on-call.md", 1)).title, "on-call");
  const session = (rest: Partial<MarkedHit>) =>
    titleOf(hit("sessions/4711.jsonl", 1, { source: "sessions", ...rest }));
  assert.equal(session({ title: "Where do we deploy?", date: "2026-03-04" }).title, "Where do we deploy?");
  assert.equal(session({ date: "2026-03-04" }).title, "Conversation of 2026-03-04");
  assert.equal(session({}).title, "4711");
});
