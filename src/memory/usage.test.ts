import assert from "node:assert/strict";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import type { OpenMemoryOptions } from "./memory.ts";
import { openMemory } from "./open-memory.ts";

const texts = {
  "MEMORY.md": "# Memory\n\n## Release\n- We ship on Fridays.\n\n## Garden\n- Tomatoes need water.\n",
  "memory/2026-03-02.md": "Nobody ever asks about zebras.\n",
};

function makeFixture(context: TestContext) {
  const home = mkdtempSync(join(tmpdir(), "longhand-usage-"));
  const workspace = join(home, "notes");
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), text);
  }
  context.after(() => rmSync(home, { recursive: true, force: true }));
  const open = (config: OpenMemoryOptions["config"] = { agents: { defaults: { userTimezone: "UTC" } } }) =>
    openMemory({
      workspace,
      stateDir: join(home, "state"),
      config,
      now: () => new Date("2026-09-14T12:00:00Z"),
    });
  const journalOf = ({ agentId }: { agentId: string }) =>
    join(home, "state", "agents", agentId, "recalls.jsonl");
  return { open, workspace, journalOf };
}

test("what searches returned is counted, outlives the process, and follows a line that moves", async (context) => {
  const { open, workspace } = makeFixture(context);
  {
    await using memory = await open();
    assert.equal((await memory.usage()).since, null);
    for (const query of ["when do we ship", "ship on fridays"]) {
      await memory.search(query, { maxResults: 1, path: "MEMORY.md" });
    }
  }
  const path = join(workspace, "MEMORY.md");
  writeFileSync(path, readFileSync(path, "utf8").replace("## Release\n", "## Release\n- A new line.\n"));
  await using memory = await open();
  const { enabled, since, notes } = await memory.usage();
  assert.deepEqual([enabled, since], [true, "2026-09-14"]);
  const [long, daily] = notes;
  const ship = long!.recalled.find(({ startLine }) => startLine === 5);
  assert.deepEqual([ship?.recalls, ship?.lastRecalled], [2, "2026-09-14"]);
  assert.ok(long!.never.some(({ startLine }) => startLine === 4));
  assert.deepEqual(daily, {
    path: "memory/2026-03-02.md",
    recalled: [],
    never: [{ startLine: 1, endLine: 1 }],
  });
  assert.deepEqual((await memory.usage({ path: "memory/2026-03-02.md" })).notes.length, 1);
  await assert.rejects(memory.usage({ path: "memory/none.md" }), { code: "path-outside-memory" });
});

test("counts are forgotten with their note, hidden from others, and can be switched off", async (context) => {
  const { open } = makeFixture(context);
  await using memory = await open();
  await memory.search("zebras", { maxResults: 1 });
  const count = async () => (await memory.usage()).notes.at(-1)!.recalled.length;
  assert.equal(await count(), 1);
  const sessionKey = `agent:${memory.agentId}:slack:group:team`;
  assert.deepEqual(
    (await memory.usage({ sessionKey })).notes.map(({ path }) => path),
    ["memory/2026-03-02.md"],
  );
  await memory.forget({ path: "MEMORY.md", startLine: 4, endLine: 4, text: "- We ship on Fridays." });
  assert.equal(await count(), 1);
  await using off = await open({ agents: { defaults: { memorySearch: { usage: { enabled: false } } } } });
  await off.search("zebras");
  assert.deepEqual(await off.usage(), { enabled: false, since: null, notes: [] });
});

test("counts of processes that end at once wait in a file, and whoever reads them writes them to the index", async (context) => {
  const { open, journalOf } = makeFixture(context);
  const ask = async () => {
    await using memory = await open();
    await memory.search("zebras", { maxResults: 1 });
    return journalOf(memory);
  };
  const [journal] = await Promise.all([ask(), ask(), ask()]);
  assert.equal(readFileSync(journal!, "utf8").trim().split("\n").length, 3);
  assert.doesNotMatch(readFileSync(journal!, "utf8"), /zebras/);
  if (process.platform !== "win32") assert.equal(statSync(journal!).mode & 0o777, 0o600);
  appendFileSync(journal!, '{"day":"2026-09-14","notes":{"memory/2026-');
  const recalls = async () => {
    await using memory = await open();
    const { notes, since } = await memory.usage({ path: "memory/2026-03-02.md" });
    return { since, recalls: notes[0]!.recalled.map((line) => line.recalls) };
  };
  assert.deepEqual(await recalls(), { since: "2026-09-14", recalls: [3] });
  assert.ok(!existsSync(journal!));
  assert.deepEqual(await recalls(), { since: "2026-09-14", recalls: [3] });
});

test("what is forgotten leaves no count in the file, and a full file is written to the index", async (context) => {
  const { open, journalOf } = makeFixture(context);
  const journal = await (async () => {
    await using memory = await open();
    await memory.search("zebras", { maxResults: 1 });
    return journalOf(memory);
  })();
  {
    await using memory = await open();
    const path = "memory/2026-03-02.md";
    await memory.forget({ path, startLine: 1, endLine: 1, text: "Nobody ever asks about zebras." });
    assert.ok(!existsSync(journal));
    await memory.search("ship", { maxResults: 1 });
  }
  assert.ok(existsSync(journal));
  appendFileSync(journal, "\n".repeat(300_000));
  {
    await using memory = await open();
    await memory.search("ship", { maxResults: 1 });
  }
  assert.ok(!existsSync(journal));
  await using memory = await open();
  const recalls = (await memory.usage()).notes.flatMap(({ recalled }) =>
    recalled.map((line) => line.recalls),
  );
  assert.deepEqual([...new Set(recalls)], [2]);
});
