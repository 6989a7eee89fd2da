import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { openMemory } from "../memory/open-memory.ts";
import type { StoredChunk } from "../stores/store.ts";
import { headingsAt } from "./superseded.ts";

async function searchIn(
  context: TestContext,
  texts: Readonly<Record<string, string>>,
  query: string,
  options: object = {},
) {
  const home = mkdtempSync(join(tmpdir(), "longhand-facts-"));
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(home, "notes", path)), { recursive: true });
    writeFileSync(join(home, "notes", path), text);
  }
  const memory = await openMemory({
    workspace: join(home, "notes"),
    stateDir: join(home, "state"),
    config: {},
  });
  context.after(async () => {
    await memory.close();
    rmSync(home, { recursive: true, force: true });
  });
  const asked = typeof options === "function" ? options(memory.agentId) : options;
  return (await memory.search(query, { minScore: 0, ...asked })).results;
}

const filler = { "memory/garden.md": "# Garden\nThe tomatoes need water every day.\n" };

test("the newer of two lines that disagree comes first, and the older one names it", async (context) => {
  const hits = await searchIn(
    context,
    {
      ...filler,
      "MEMORY.md":
        "# Memory\n\n## Release\n- We ship on Fridays, and Fridays only we ship.\n- We ship on Fridays.\n",
      "memory/2026-09-14.md": "# 2026-09-14\n- Lunch was late.\n- We ship on Tuesdays now.\n",
    },
    "when do we ship? on fridays?",
  );
  const [first, second] = hits;
  assert.equal(first?.path, "memory/2026-09-14.md");
  assert.equal(first?.supersededBy, undefined);
  assert.deepEqual(second?.supersededBy, { path: "memory/2026-09-14.md", line: 3, oldLine: 5 });
  assert.equal(first!.score, second!.score, "it gets the score of the older one");
  assert.ok(first!.score < 1 && hits.every((hit, at) => at === 0 || hit.score <= hits[at - 1]!.score));
});

test("a line about another person supersedes nothing", async (context) => {
  const hits = await searchIn(
    context,
    {
      ...filler,
      "memory/anna.md": "- Works at Globex in Berlin.\n",
      "memory/bo.md": "- Now works at Initech in Berlin.\n",
    },
    "who works at Globex in Berlin?",
  );
  assert.equal(hits[0]?.path, "memory/anna.md");
  assert.equal(hits[0]?.supersededBy, undefined);
});

test("a newer line that is not a hit is named nevertheless", async (context) => {
  const hits = await searchIn(
    context,
    {
      ...filler,
      "memory/2026-03-02.md": "- The standup starts at 9:30.\n",
      "memory/2026-09-14.md": "- The standup starts at 10:00.\n",
    },
    "standup 9:30",
    { maxResults: 1 },
  );
  assert.deepEqual(
    hits.map(({ path, supersededBy }) => ({ path, supersededBy })),
    [{ path: "memory/2026-03-02.md", supersededBy: { path: "memory/2026-09-14.md", line: 1, oldLine: 1 } }],
  );
});

test("a line that states the change itself counts, even in the same note", async (context) => {
  const notes = {
    ...filler,
    "memory/2026-09-14.md": "- The standup starts at 9:30.\n- We moved the standup to 10:15.\n",
  };
  const [hit] = await searchIn(context, notes, "standup");
  assert.deepEqual(hit?.supersededBy, { path: "memory/2026-09-14.md", line: 2, oldLine: 1 });
});

test("lines that differ for a reason are not marked: other subjects, plans, code", async (context) => {
  const hits = await searchIn(
    context,
    {
      "memory/2026-03-02.md": "- The billing timeout is 30 s.\n- Maybe the billing timeout should be 60 s.\n",
      "memory/2026-09-14.md": "- The search timeout is 45 s.\n\n```\nThe billing timeout is 90 s now.\n```\n",
    },
    "timeout",
  );
  assert.ok(hits.length > 0);
  assert.deepEqual(
    hits.filter(({ supersededBy }) => supersededBy !== undefined),
    [],
  );
});

test("a shared session never sees a private line", async (context) => {
  const texts = {
    "memory/2026-03-02.md": "- We ship on Fridays.\n",
    "MEMORY.md": "- 2026-09-14: We ship on Tuesdays now.\n",
  };
  const own = await searchIn(context, texts, "when do we ship");
  assert.ok(own.some(({ supersededBy }) => supersededBy?.path === "MEMORY.md"));
  const shared = await searchIn(context, texts, "when do we ship", (agent: string) => ({
    sessionKey: `agent:${agent}:slack:group:team`,
  }));
  assert.deepEqual(
    shared.map(({ path, supersededBy }) => [path, supersededBy]),
    [["memory/2026-03-02.md", undefined]],
  );
});

test("a line is under the headings above it, or under those of its chunk", () => {
  const chunk: StoredChunk = {
    ...{ id: 1, path: "memory/trip.md", source: "memory", text: "", scope: "shared" as const },
    ...{ lines: { start: 1, end: 9 }, headings: ["Before"] },
  };
  assert.deepEqual(headingsAt(chunk, ["Written on the way."]), ["Before"]);
  assert.deepEqual(headingsAt(chunk, ["# Plans", "", "## Food", "- soup", "## Travel"]), ["Plans", "Travel"]);
  assert.deepEqual(headingsAt(chunk, ["# Plans", "### Food", "# Travel"]), ["Travel"]);
});
