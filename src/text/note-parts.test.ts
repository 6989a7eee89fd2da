import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readNoteParts } from "./note-parts.ts";

test("the parts of a note are read as the programs that write them mean them", async () => {
  const note = [
    "---",
    "title: Harbour plan",
    'aliases: [Port, "The plan"]',
    "tags: [work, work/harbour]",
    "---",
    "# Plan #harbour and #12",
    "Ask [[People/Mara Lindqvist|Mara]] about [[Budget#Costs]], (#todo) see ![[map.png]].",
    "Also [the rules](docs/rules%20old.md#quiet) and [a site](https://example.org/a.md).",
    "`[[code]]` and `#code` are code.",
    "```",
    "[[fenced]] #fenced",
    "```",
    "#größe/klein",
  ].join("\n");
  assert.deepEqual(await readNoteParts(note), {
    title: "Harbour plan",
    aliases: ["Port", "The plan"],
    tags: ["work", "work/harbour", "harbour", "todo", "größe/klein"],
    links: [
      { target: "People/Mara Lindqvist", title: "Mara", line: 7, isEmbed: false },
      { target: "Budget", heading: "Costs", line: 7, isEmbed: false },
      { target: "map.png", line: 7, isEmbed: true },
      { target: "docs/rules old", heading: "quiet", title: "the rules", line: 8, isEmbed: false },
    ],
  });
});

test("any text has parts, and links name lines that are there", async () => {
  const pieces = fc.array(
    fc.constantFrom("[[", "]]", "|", "#", "a", "`", "\n", "```\n", "![", "](x.md)", "---\n", " "),
  );
  await fc.assert(
    fc.asyncProperty(pieces, async (parts) => {
      const text = parts.join("");
      const { links } = await readNoteParts(text);
      for (const { line } of links) assert.ok(line >= 1 && line <= text.split("\n").length);
    }),
  );
});

test("a line of nothing but brackets takes no longer than any other", async () => {
  const startedAt = performance.now();
  await readNoteParts(`${"[[".repeat(100_000)}${"`".repeat(50_000)}`);
  assert.ok(performance.now() - startedAt < 60_000);
});
