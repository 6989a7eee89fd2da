import assert from "node:assert/strict";
import { test } from "node:test";
import { dateOf } from "./note-date.ts";
import { scopeOf } from "./note-scope.ts";

test("a note is dated by the real calendar day in its name, as common tools write it, at any depth", () => {
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
    ["memory/2026-03-01 planning.md", "2026-03-01"],
    ["memory/2026-03-01planning.md", null],
    ["journals/2025_03_04.md", "2025-03-04"],
    ["daily.journal.2025.03.04.md", "2025-03-04"],
    ["zettel/20250304.md", "2025-03-04"],
    ["zettel/202503041530 Harbour.md", "2025-03-04"],
    ["zettel/2025030415.md", null],
    ["zettel/20259999.md", null],
    ["phone/491512345678.md", null],
    ["04.03.2025.md", "2025-03-04"],
    ["04-03-2025.md", null],
    ["Team/Meeting 2025-03-04.md", "2025-03-04"],
    ["Journal/2025/03/04.md", "2025-03-04"],
    ["Journal/2025/03-March/04.md", "2025-03-04"],
    ["Journal/2025/03/14 tips.md", null],
    ["March 4th, 2025.md", "2025-03-04"],
    ["Mar 4, 2025.md", "2025-03-04"],
    ["Tuesday, March 4th 2025.md", "2025-03-04"],
    ["4. März 2025.md", "2025-03-04"],
    ["Top 10 2025.md", null],
    ["Plans 2025.md", null],
    ["memory/notes-2026-03-01.md", null],
    ["memory/2026-03-01/x.md", null],
    ["memory/26-03-01.md", null],
    ["MEMORY.md", null],
  ];
  for (const [path, date] of cases) assert.equal(dateOf(path), date, path);
});

test("only the long-term note and the entries are private, whatever their letter case", () => {
  assert.equal(scopeOf("MEMORY.md"), "private");
  assert.equal(scopeOf("memory.md"), "private");
  assert.equal(scopeOf("memory/entries.md"), "private");
  for (const path of ["Memory.md", "memory/Entries.md", "Memory/ENTRIES.md"])
    assert.equal(scopeOf(path), "private", path);
  for (const path of ["memory/MEMORY.md", "extra/0/MEMORY.md", "memory/2026-03-01.md"]) {
    assert.equal(scopeOf(path), "shared", path);
  }
});
