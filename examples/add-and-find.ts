/** What an agent does: write something down, and find it again immediately. The note is plain Markdown on disk. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { openMemory } from "longhand";

const folder = await mkdtemp(path.join(os.tmpdir(), "longhand-example-"));
const workspace = path.join(folder, "notes");
await mkdir(workspace);

try {
  await using memory = await openMemory({ workspace, stateDir: path.join(folder, "state") });

  const added = await memory.add("The staging database is rebuilt every Sunday at 04:00.", {
    to: "long-term",
  });
  console.log(`written to ${added.path}, line ${added.startLine}`);
  assert.equal(added.path, "MEMORY.md");

  const { results } = await memory.search("when do we rebuild staging databases?");
  assert.equal(results[0]?.path, "MEMORY.md");
  assert.ok(results[0].startLine <= added.startLine && added.endLine <= results[0].endLine);
  console.log(results[0].snippet);

  const again = await memory.add("The staging database is rebuilt every Sunday at 04:00.", {
    to: "long-term",
  });
  assert.equal(again.duplicate, true, "the same entry is not written twice");

  const onDisk = await readFile(path.join(workspace, "MEMORY.md"), "utf8");
  assert.equal(onDisk.split("rebuilt every Sunday").length, 2);
} finally {
  await rm(folder, { recursive: true, force: true });
}
