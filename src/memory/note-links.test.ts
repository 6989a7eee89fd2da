import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { openMemory } from "./open-memory.ts";

async function memoryOf(context: TestContext, texts: Readonly<Record<string, string>>) {
  const home = mkdtempSync(join(tmpdir(), "longhand-links-"));
  const workspace = join(home, "notes");
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), text);
  };
  for (const [path, text] of Object.entries(texts)) write(path, text);
  const memory = await openMemory({ workspace, stateDir: join(home, "state"), config: {} });
  context.after(async () => {
    await memory.close();
    rmSync(home, { recursive: true, force: true });
  });
  return { memory, write };
}

const notes = {
  "MEMORY.md": "# Memory\n- The budget is in [[apollo]].\n",
  "memory/apollo.md":
    "---\naliases: [Moon Shot]\ntags: [project/space]\n---\n# Apollo\nThe budget is 90 euros. [[gone]]\n",
  "memory/2026-03-02.md": "Talked about the budget of [[Moon Shot]]. #finance\n",
  "memory/other.md": "The budget of something else. #finance #project\n",
};

test("links, broken links and backlinks of a note are reported with their lines", async (context) => {
  const { memory } = await memoryOf(context, notes);
  assert.deepEqual(await memory.links("memory/apollo.md"), {
    path: "memory/apollo.md",
    tags: ["project/space"],
    aliases: ["Moon Shot"],
    links: [{ target: "gone", line: 6 }],
    broken: [{ target: "gone", line: 6 }],
    backlinks: [
      { path: "MEMORY.md", line: 2 },
      { path: "memory/2026-03-02.md", line: 1 },
    ],
  });
  assert.deepEqual(await memory.tags(), [
    { tag: "finance", notes: 2 },
    { tag: "project", notes: 1 },
    { tag: "project/space", notes: 1 },
  ]);
  assert.equal(await memory.findNote("Apollo"), "memory/apollo.md");
  assert.equal(await memory.findNote("moon shot"), "memory/apollo.md");
  assert.equal(await memory.findNote("nothing"), null);
  const { missing, backlinks } = await memory.links("memory/gone.md");
  assert.deepEqual([missing, backlinks], [true, [{ path: "memory/apollo.md", line: 6 }]]);
  await assert.rejects(memory.links("../secret.md"), { code: "path-outside-memory" });
});

test("a search narrows to tags and to what links to a note, and an edit counts at once", async (context) => {
  const { memory, write } = await memoryOf(context, notes);
  const paths = async (options: object) =>
    (await memory.search("budget", { minScore: 0, ...options })).results.map(({ path }) => path).sort();
  assert.deepEqual(await paths({ tag: "finance" }), ["memory/2026-03-02.md", "memory/other.md"]);
  assert.deepEqual(await paths({ tag: "finance, #project" }), ["memory/other.md"]);
  assert.deepEqual(await paths({ linksTo: "memory/apollo.md" }), ["MEMORY.md", "memory/2026-03-02.md"]);
  assert.deepEqual(await paths({ linksTo: "memory/apollo.md", tag: "finance" }), ["memory/2026-03-02.md"]);
  assert.deepEqual(await paths({ tag: "nothing-has-it" }), []);
  write("memory/other.md", "The budget of something else, without a tag.\n");
  assert.deepEqual(await paths({ tag: "finance" }), ["memory/2026-03-02.md"]);
  await assert.rejects(paths({ tag: " #, " }), { code: "query-invalid" });
});

test("an alias finds its note", async (context) => {
  const { memory } = await memoryOf(context, notes);
  const { results } = await memory.search("moon shot", { minScore: 0 });
  assert.ok(results.some(({ path }) => path === "memory/apollo.md"));
});

test("a shared session learns nothing of private notes from links", async (context) => {
  const { memory } = await memoryOf(context, notes);
  const sessionKey = `agent:${memory.agentId}:slack:group:team`;
  const { backlinks } = await memory.links("memory/apollo.md", { sessionKey });
  assert.deepEqual(
    backlinks.map(({ path }) => path),
    ["memory/2026-03-02.md"],
  );
  await assert.rejects(memory.links("MEMORY.md", { sessionKey }), { code: "path-outside-memory" });
});
