import assert from "node:assert/strict";
import { test } from "node:test";
import type { NoteEntry } from "../api.ts";
import { listRows, type TreeRow } from "./note-tree.ts";

const notes = [
  entry("MEMORY.md"),
  entry("memory/2026-02-27.md", "2026-02-27"),
  entry("memory/2026-03-02-launch.md", "2026-03-02"),
  entry("memory/2026-03-05.md", "2026-03-05"),
  entry("memory/on-call.md"),
  entry("memory/incidents/gale.md"),
];

test("Long-term memory comes first, then days by month with the newest first, then topics by folder", () => {
  assert.deepEqual(show(listRows(notes, { closed: new Set(), filter: "" })), [
    "MEMORY.md",
    "[March 2026 2]",
    "  2026-03-05",
    "  2026-03-02 launch",
    "[February 2026 1]",
    "  2026-02-27",
    "[memory/ 1]",
    "  on-call.md",
    "[memory/incidents/ 1]",
    "  gale.md",
  ]);
});

test("Daily notes with the same name show their folder", () => {
  const sameDay = [entry("2026-03-02.md", "2026-03-02"), entry("Inbox/2026-03-02.md", "2026-03-02")];
  const rows = listRows([...notes, ...sameDay], { closed: new Set(), filter: "" });
  assert.deepEqual(show(rows).slice(1, 6), [
    "[March 2026 4]",
    "  2026-03-05",
    "  2026-03-02 (Workspace)",
    "  2026-03-02 (Inbox)",
    "  2026-03-02 launch",
  ]);
});

test("A collapsed folder keeps its count, and a filter expands the folders of its matches", () => {
  const closed = new Set(["month:2026-03", "folder:memory/"]);
  assert.deepEqual(show(listRows(notes, { closed, filter: "" })).slice(1, 3), [
    "[March 2026 2]",
    "[February 2026 1]",
  ]);
  assert.deepEqual(show(listRows(notes, { closed, filter: "2026 LAUNCH" })), [
    "[March 2026 1]",
    "  2026-03-02 launch",
  ]);
  assert.deepEqual(listRows(notes, { closed, filter: "nothing like it" }), []);
});

function entry(path: string, date?: string): NoteEntry {
  const rest = {
    path,
    version: "1",
    sizeBytes: 1,
    modifiedAt: "2026-03-01T00:00:00Z",
    scope: "shared",
  } as const;
  return date === undefined ? rest : { ...rest, date };
}

function show(rows: readonly TreeRow[]): string[] {
  return rows.map((row) =>
    row.kind === "folder" ? `[${row.name} ${row.count}]` : `${"  ".repeat(row.depth)}${row.name}`,
  );
}
