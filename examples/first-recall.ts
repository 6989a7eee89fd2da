/** The quickest start: open a folder of Markdown, ask, and read the lines around the answer. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { openMemory } from "longhand";

const workspace = path.join(import.meta.dirname, "workspace");
const stateDir = await mkdtemp(path.join(os.tmpdir(), "longhand-example-"));

try {
  await using memory = await openMemory({ workspace, stateDir });
  await memory.sync();

  const { results } = await memory.search("how long does restoring from a backup take?");
  const best = results[0];
  assert.ok(best, "there is an answer");
  console.log(`${best.path}:${best.startLine} (${best.score.toFixed(2)})\n${best.snippet}`);
  assert.ok(["memory/deploy-runbook.md", "memory/2026-11-09.md"].includes(best.path));

  const { text, totalLines } = await memory.readFile({ relPath: best.path, from: best.startLine, lines: 5 });
  assert.ok(text.length > 0 && totalLines >= best.endLine);
} finally {
  await rm(stateDir, { recursive: true, force: true });
}
