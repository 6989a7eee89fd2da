import assert from "node:assert/strict";
import { test } from "node:test";
import { liftTitled } from "./named-notes.ts";
import type { Passage } from "./passages.ts";

function passageOf(path: string, text: string, headings: string[], score: number, startLine = 1): Passage {
  const end = startLine + text.split("\n").length - 1;
  return {
    chunk: {
      ...{ id: score, path, text, headings, hash: "", source: "memory", scope: "shared" },
      lines: { start: startLine, end },
    },
    lines: { start: startLine, end: startLine },
    ...{ score, isMatched: true, contributions: [], occurrences: [] },
  };
}

const mention = passageOf("a.md", "The big box is loud.", ["Log"], 0.6);

async function firstFor(query: string, passages: readonly Passage[]): Promise<Passage> {
  return (await liftTitled(passages, query)).toSorted((a, b) => b.score - a.score)[0]!;
}

test("The note with the query as its title comes before a mention, however it is written", async () => {
  const titled = passageOf("b.md", "Host db-3.", ["The big box", "Host"], 0.3);
  for (const query of ["the big box", "The Big Box?", '"the big-box"', "What is the big box?"]) {
    assert.equal((await firstFor(query, [mention, titled])).chunk.path, "b.md", query);
  }
  for (const query of ["the big box of Tom", "who moved the big box?", "box", "host", ""]) {
    assert.equal((await firstFor(query, [mention, titled])).chunk.path, "a.md", query);
  }
});

test("The note with the query as an alias comes first, with its text instead of its front matter", async () => {
  const head = "---\ntitle: Database\naliases:\n  - db\n  - The big box\n---\n\n";
  const aliased = passageOf("b.md", `${head}Host db-3.`, ["Database"], 0.3);
  const first = await firstFor("the big box", [mention, aliased]);
  assert.equal(first.chunk.path, "b.md");
  assert.deepEqual(first.lines, { start: 8, end: 8 });
  // Part of an alias, or an alias with another word, does not count.
  assert.equal((await firstFor("big box", [mention, aliased])).chunk.path, "a.md");
  assert.equal((await firstFor("aliases", [mention, aliased])).chunk.path, "a.md");
});

test("A title below front matter counts like any other, and a smaller heading does not", async () => {
  const below = (line: string) => passageOf("b.md", `---\ntags: host\n---\n\n${line}\n\nHost db-3.`, [], 0.3);
  assert.equal((await firstFor("the big box", [mention, below("# The big box")])).chunk.path, "b.md");
  assert.equal((await firstFor("the big box", [mention, below("## The big box")])).chunk.path, "a.md");
});

test("Only the best chunk of a titled note is raised, so that mentions follow", async () => {
  const best = passageOf("b.md", "Host db-3.", ["The big box"], 0.3);
  const other = passageOf("b.md", "Fans.", ["The big box", "Fans"], 0.2, 9);
  const lifted = await liftTitled([other, mention, best], "the big box");
  assert.deepEqual(
    lifted.map(({ score }) => score),
    [0.2, 0.6, 0.3 + 0.7 * 0.8],
  );
});
