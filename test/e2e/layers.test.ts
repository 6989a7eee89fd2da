import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fillNotes, openClient } from "../support/mcp-fixture.ts";
import { openCliFixture } from "../support/run-cli.ts";

const group = "agent:main:slack:group:g";

test("what is added for the user is found in another project, and never in a group", async (t) => {
  const fixture = openCliFixture(t);
  fillNotes(fixture);
  const added = await fixture.json("add", "I prefer tabs over spaces.", "--scope", "user");
  const { path, startLine } = added.value as { path: string; startLine: number };
  assert.equal(path, "user:MEMORY.md");
  const file = join(fixture.stateDir, "user", "MEMORY.md");
  assert.match(readFileSync(file, "utf8").split("\n")[startLine - 1]!, /tabs over spaces/);

  // A folder without notes, in which a host runs the hook.
  const other = join(fixture.home, "other");
  mkdirSync(other, { recursive: true });
  const input = JSON.stringify({ cwd: other, session_id: "s", source: "startup" });
  const hook = await fixture.runWith({ cwd: other, input }, "hook", "session-start", "--within", "120");
  assert.match(hook.stdout, /user:MEMORY\.md.*tabs over spaces/s);

  const found = await fixture.runWith({ cwd: other }, "search", "tabs or spaces", "--json");
  const [hit] = (JSON.parse(found.stdout) as { results: { path: string; layer: string; citation: string }[] })
    .results;
  assert.deepEqual([hit?.path, hit?.layer], ["user:MEMORY.md", "user"]);
  const read = await fixture.runWith({ cwd: other }, "get", hit!.citation);
  assert.match(read.stdout, /tabs over spaces/);

  const client = await openClient(t, fixture, {
    kind: "newer protocol",
    transport: "stdio",
    argv: ["--session-key", group],
  });
  const search = JSON.stringify(
    await client.callTool({ name: "memory_search", arguments: { query: "tabs or spaces", minScore: 0 } }),
  );
  assert.ok(!search.includes("tabs over spaces"), search);
  const get = JSON.stringify(
    await client.callTool({ name: "memory_get", arguments: { path: "user:MEMORY.md" } }),
  );
  assert.ok(!get.includes("tabs over spaces"), get);

  assert.equal((await fixture.run("forget", "--query", "tabs over spaces", "--yes")).code, 0);
  assert.ok(!readFileSync(file, "utf8").includes("tabs"));
});

test("consolidate --scope user consolidates the user's notes from any project, and names commands with that scope", async (t) => {
  const fixture = openCliFixture(t);
  fillNotes(fixture);
  const none = await fixture.run("consolidate", "--scope", "user");
  assert.notEqual(none.code, 0);
  assert.match(none.stderr, /longhand add --scope user TEXT/);

  const folder = join(fixture.stateDir, "user", "memory");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "2026-03-02.md");
  const text = "- Met Ana yesterday about the boat.\n";
  writeFileSync(file, text);
  const applied = await fixture.run("consolidate", "--scope", "user", "--apply");
  assert.match(readFileSync(file, "utf8"), /yesterday \(2026-03-01\)/);
  assert.match(applied.stderr, /longhand consolidate --scope user --undo 20/);
  const other = await fixture.run("consolidate", "--undo");
  assert.match(other.stderr, /nothing to undo.*longhand consolidate --receipts/s);
  const undone = await fixture.run("consolidate", "--scope", "user", "--undo");
  assert.deepEqual([undone.code, readFileSync(file, "utf8")], [0, text]);
});
