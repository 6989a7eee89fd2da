import assert from "node:assert/strict";
import { test } from "node:test";
import { dateOf } from "./note-date.ts";
import { scopeOf } from "./note-scope.ts";

test("a note is dated by the real calendar day at the start of its name, at any depth", () => {
  const cases: [string, string | null][] = [
    ["memory/2026-03-01.md", "2026-03-01"],
    ["memory/2026-03-01-planning.md", "2026-03-01"],
    ["memory/team/2024-02-29-x-y.md", "2024-02-29"],
    ["extra/0/2026-03-01.md", "2026-03-01"],
    ["2026-03-01.md", "2026-03-01"],
    ["memory/2025-02-29.md", null],
    ["memory/2026-13-01.md", null],
    ["memory/2026-00-10.md", null],
    ["memory/2026-03-011.md", null],
    ["memory/2026-03-01 planning.md", null],
    ["memory/notes-2026-03-01.md", null],
    ["memory/2026-03-01/x.md", null],
    ["memory/26-03-01.md", null],
    ["MEMORY.md", null],
  ];
  for (const [path, date] of cases) assert.equal(dateOf(path), date, path);
});

test("only the long-term note at the root of the workspace is private", () => {
  assert.equal(scopeOf("MEMORY.md"), "private");
  assert.equal(scopeOf("memory.md"), "private");
  for (const path of ["memory/MEMORY.md", "extra/0/MEMORY.md", "memory/2026-03-01.md"]) {
    assert.equal(scopeOf(path), "shared", path);
  }
});
