import assert from "node:assert/strict";
import { test } from "node:test";
import { createLinkGraph, type LinkGraph, readTags } from "./link-graph.ts";
import { readNoteParts } from "./note-parts.ts";

async function graphOf(texts: Readonly<Record<string, string>>): Promise<LinkGraph> {
  const notes = Object.entries(texts).map(async ([path, text]) => ({
    path,
    parts: await readNoteParts(text),
  }));
  return createLinkGraph(await Promise.all(notes));
}

test("a link is resolved from its own folder, from the workspace, by name, by the end of a path and by alias", async () => {
  const graph = await graphOf({
    "MEMORY.md":
      "[[apollo]] [[Moon Shot]] [b](memory/projects/apollo.md) [[projects/apollo]] [c](./memory/people/anna.md)\n",
    "memory/a.md": "[[missions/log]] [[/missions/log]] [[issions/log]] [[missions/../log]]\n",
    "memory/projects/missions/log.md": "",
    "memory/people/anna.md": "[x](../projects/apollo.md) [[/MEMORY]] [[memory/people/anna]]\n",
    "memory/projects/apollo.md": "---\naliases: [Moon Shot]\n---\n[[Anna]]\n",
  });
  const apollo = "memory/projects/apollo.md";
  assert.deepEqual(
    graph.outgoing("MEMORY.md").map(({ path }) => path),
    [apollo, apollo, apollo, apollo, "memory/people/anna.md"],
  );
  const log = "memory/projects/missions/log.md";
  assert.deepEqual(
    graph.outgoing("memory/a.md").map(({ path }) => path),
    [log, log, undefined, undefined],
  );
  assert.deepEqual(
    graph.outgoing("memory/people/anna.md").map(({ path }) => path),
    ["MEMORY.md", "memory/people/anna.md", apollo],
  );
  assert.deepEqual(
    graph.backlinks("memory/people/anna.md").map(({ path, line }) => `${path}:${line}`),
    ["MEMORY.md:1", `${apollo}:4`],
  );
});

test("a link to a missing note is broken, and a backlink of the note that does not exist yet", async () => {
  const graph = await graphOf({
    "memory/a.md": "one\n[[Not Yet|later]] ![[photo.png]] [[#Here]] [up](../../x.md)\n",
  });
  assert.deepEqual(
    graph.outgoing("memory/a.md").map(({ target, path }) => ({ target, path })),
    [
      { target: "Not Yet", path: undefined },
      { target: "../../x", path: undefined },
    ],
  );
  assert.deepEqual(graph.backlinks("memory/not yet.md"), [{ path: "memory/a.md", line: 2, title: "later" }]);
  assert.deepEqual(graph.backlinks("memory/other.md"), []);
});

test("of two notes with one name, the one nearer to the root wins, and a name wins over an alias", async () => {
  const graph = await graphOf({
    "memory/deep/plan.md": "",
    "memory/plan.md": "",
    "memory/z.md": "---\naliases: plan\n---\n",
    "MEMORY.md": "[[plan]]",
  });
  assert.equal(graph.outgoing("MEMORY.md")[0]?.path, "memory/plan.md");
});

test("tags nest, ignore case, and all of several are required", async () => {
  const graph = await graphOf({
    "a.md": "#Project/Apollo #urgent",
    "b.md": "---\ntags: [project]\n---\n",
    "c.md": "#projects #Urgent #urgent",
  });
  assert.deepEqual([...graph.tagged(["PROJECT"])], ["a.md", "b.md"]);
  assert.deepEqual([...graph.tagged(["project", "urgent"])], ["a.md"]);
  assert.deepEqual([...graph.tagged(["project/apollo"])], ["a.md"]);
  assert.deepEqual(graph.tags(), [
    { tag: "project", notes: 1 },
    { tag: "Project/Apollo", notes: 1 },
    { tag: "projects", notes: 1 },
    { tag: "urgent", notes: 2 },
  ]);
  assert.deepEqual(readTags("#a, b/c/ ,, #d"), ["a", "b/c", "d"]);
});
