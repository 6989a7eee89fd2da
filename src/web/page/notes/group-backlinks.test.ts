import assert from "node:assert/strict";
import { test } from "node:test";
import { groupBacklinks } from "./group-backlinks.ts";

test("Backlinks are grouped by note: topics first, then days with the newest first", () => {
  const backlinks = [
    { path: "Journal/2025-01-02.md", line: 3 },
    { path: "Journal/2025-01-02.md", line: 5 },
    { path: "Journal/2026-04-01 Meeting.md", line: 1 },
    { path: "People/Ada.md", line: 9 },
  ];
  assert.deepEqual(
    groupBacklinks(backlinks).map(([path, own]) => [path, own.map(({ line }) => line)]),
    [
      ["People/Ada.md", [9]],
      ["Journal/2026-04-01 Meeting.md", [1]],
      ["Journal/2025-01-02.md", [3, 5]],
    ],
  );
});
