import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { openMemory } from "./open-memory.ts";

async function memoryOf(context: TestContext, texts: Readonly<Record<string, string>>) {
  const home = mkdtempSync(join(tmpdir(), "longhand-add-"));
  const workspace = join(home, "notes");
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), text);
  }
  const now = () => new Date("2026-09-14T12:00:00Z");
  // However busy the machine is, the lookup has enough time.
  const config = {
    agents: { defaults: { userTimezone: "UTC", memorySearch: { sync: { searchWaitMs: 60_000 } } } },
  };
  const memory = await openMemory({ workspace, stateDir: join(home, "state"), config, now });
  context.after(async () => {
    await memory.close();
    rmSync(home, { recursive: true, force: true });
  });
  return { memory, read: (path: string) => readFileSync(join(workspace, path), "utf8") };
}

const today = "memory/2026-09-14.md";

test("a line that says the same in other words is not written, unless forced", async (context) => {
  const texts = {
    "MEMORY.md": "# Memory\n\n## Office\n- The invoice template lives in the finance folder.\n",
  };
  const { memory, read } = await memoryOf(context, texts);
  const text = "Invoice template lives in finance folder";
  assert.deepEqual(await memory.add(text), {
    path: "MEMORY.md",
    startLine: 4,
    endLine: 4,
    duplicate: true,
    nearDuplicate: true,
    indexed: true,
  });
  assert.throws(() => read(today), { code: "ENOENT" });
  assert.equal(read("MEMORY.md"), texts["MEMORY.md"]);
  const forced = await memory.add(text, { force: true });
  assert.equal(forced.path, today);
  assert.equal(forced.duplicate, false);
});

test("a fact about one person is written although a note about another says the same", async (context) => {
  const { memory, read } = await memoryOf(context, { "memory/anna.md": "- Lives in Oslo.\n" });
  const bo = await memory.add("Lives in Oslo.", { to: "memory/bo.md" });
  assert.deepEqual([bo.path, bo.duplicate], ["memory/bo.md", false]);
  assert.match(read("memory/bo.md"), /Lives in Oslo\./);
  const own = await memory.add("Lives in Oslo.", { to: "long-term" });
  assert.deepEqual([own.path, own.duplicate], ["MEMORY.md", false]);
  const again = await memory.add("Anna lives in Oslo.", { to: "long-term" });
  assert.equal(again.duplicate, false);
});

test("a line that contradicts an older one is written and names it", async (context) => {
  const { memory, read } = await memoryOf(context, { "MEMORY.md": "# Memory\n- We ship on Fridays.\n" });
  const added = await memory.add("We ship on Tuesdays now.");
  assert.deepEqual(added.supersedes, { path: "MEMORY.md", line: 2 });
  assert.equal(added.duplicate, false);
  assert.match(read(today), /We ship on Tuesdays now\./);
});

test("a fact of a daily note can be written to the long-term memory, and what happened again is new", async (context) => {
  const { memory } = await memoryOf(context, {
    "memory/2026-03-02.md": "- The office is in Berlin.\n- Deployed to the cluster without problems.\n",
  });
  const lasting = await memory.add("The office is in Berlin.", { to: "long-term" });
  assert.deepEqual([lasting.path, lasting.duplicate], ["MEMORY.md", false]);
  const known = await memory.add("- The office is in Berlin.");
  assert.deepEqual([known.duplicate, known.path], [true, "MEMORY.md"]);
  const again = await memory.add("Deployed to the cluster without problems.");
  assert.deepEqual([again.path, again.duplicate], [today, false]);
});

test("a shared session does not learn what private notes say", async (context) => {
  const { memory } = await memoryOf(context, { "MEMORY.md": "# Memory\n- We ship on Fridays.\n" });
  const sessionKey = `agent:${memory.agentId}:slack:group:team`;
  const same = await memory.add("We ship on Fridays!", { sessionKey });
  assert.deepEqual([same.path, same.duplicate], [today, false]);
  const other = await memory.add("We ship on Mondays now.", { sessionKey });
  assert.deepEqual(other.supersedes, { path: today, line: same.startLine });
});

test("a line that differs from one of today only in punctuation is not written again", async (context) => {
  const { memory } = await memoryOf(context, { "MEMORY.md": "# Memory\n" });
  const first = await memory.add("Deploy branch: main");
  const again = await memory.add("Deploy branch: main!");
  assert.deepEqual([again.duplicate, again.path, again.startLine], [true, today, first.startLine]);
});

test("text of several lines is written unchanged, unless the notes say all of it", async (context) => {
  const { memory, read } = await memoryOf(context, {
    "MEMORY.md": "# Memory\n- We ship on Fridays.\n",
    "memory/office.md": "# Office\n\nThe invoice template lives in the finance folder.\n",
  });
  const known = "- We ship on Fridays!\n- Invoice template lives in finance folder";
  const place = { path: "MEMORY.md", startLine: 2, endLine: 2, duplicate: true };
  assert.deepEqual(await memory.add(known), { ...place, nearDuplicate: true, indexed: true });
  assert.throws(() => read(today), { code: "ENOENT" });
  for (const more of ["- We eat at noon.", "  for customers abroad", "```\ncode\n```", "> quoted"]) {
    const text = `${known}\n${more}`;
    const { duplicate } = await memory.add(text);
    assert.equal(duplicate, false, more);
    assert.ok(read(today).includes(text), more);
  }
  const forced = await memory.add(known, { force: true });
  assert.deepEqual([forced.path, forced.duplicate], [today, false]);
});

test("a line of several that contradicts an older one names it, and all of them are written", async (context) => {
  const { memory, read } = await memoryOf(context, { "MEMORY.md": "# Memory\n- We ship on Fridays.\n" });
  const text = "- We eat at noon.\n- We ship on Tuesdays now.";
  const added = await memory.add(text);
  assert.deepEqual([added.duplicate, added.supersedes], [false, { path: "MEMORY.md", line: 2 }]);
  assert.ok(read(today).includes(text));
  const again = await memory.add(text);
  assert.deepEqual([again.duplicate, again.path, again.supersedes], [true, today, undefined]);
});

test("a fact that holds again after it had changed is written", async (context) => {
  const { memory, read } = await memoryOf(context, {
    "memory/2026-03-01.md": "- The API key rotates every 30 days.\n",
    "memory/2026-05-01.md": "- The API key rotates every 60 days now.\n",
  });
  const known = await memory.add("The API key rotates every 60 days.");
  assert.deepEqual([known.duplicate, known.path], [true, "memory/2026-05-01.md"]);
  const again = await memory.add("The API key rotates every 30 days.");
  assert.deepEqual([again.duplicate, again.path], [false, today]);
  assert.deepEqual(again.supersedes, { path: "memory/2026-05-01.md", line: 1 });
  assert.match(read(today), /every 30 days/);
});

test("a line that is in the same note is written again when it holds again, or is forced", async (context) => {
  const { memory, read } = await memoryOf(context, {
    "MEMORY.md": "# Memory\n- We ship on Fridays.\n- We ship on Tuesdays now.\n",
  });
  const again = await memory.add("We ship on Fridays.", { to: "long-term" });
  assert.deepEqual([again.duplicate, again.startLine], [false, 4]);
  const known = await memory.add("We ship on Fridays.", { to: "long-term" });
  assert.deepEqual([known.duplicate, read("MEMORY.md").split("\n").length], [true, 5]);
  const forced = await memory.add("We ship on Fridays.", { to: "long-term", force: true });
  assert.deepEqual([forced.duplicate, forced.startLine], [false, 5]);
});

test("code and struck-out text do not keep a line from being written", async (context) => {
  const { memory } = await memoryOf(context, {
    "memory/log.md": "# Log\n\n```\nThe port of staging is 8080\n```\n\n- ~~The office is in Berlin.~~\n",
  });
  const port = await memory.add("The port of staging is 8080");
  assert.deepEqual([port.duplicate, port.path], [false, today]);
  const office = await memory.add("The office is in Berlin.");
  assert.deepEqual([office.duplicate, office.path], [false, today]);
});
