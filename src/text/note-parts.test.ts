import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readableMarkdown, readNoteParts, titleOfNote } from "./note-parts.ts";

test("the parts of a note are read with the meaning of the programs that write them", async () => {
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

test("any text has parts, and links name existing lines", async () => {
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

test("a line of only brackets takes no longer than any other", async () => {
  const startedAt = performance.now();
  await readNoteParts(`${"[[".repeat(100_000)}${"`".repeat(50_000)}`);
  assert.ok(performance.now() - startedAt < 60_000);
});

test("links, check boxes and callouts are shown as people read them", () => {
  const cases: [string, string][] = [
    ["See [[Oven manual|the manual]].", "See the manual."],
    ["See [[Topic 7#Decision]] and ![[map.png]]", "See Topic 7 › Decision and map.png"],
    ["- [ ] send it", "- ☐ send it"],
    ["  1. [x] sent", "  1. ☑ sent"],
    ["> [!warning]- Allergy", "> Warning: Allergy"],
    ["> [!NOTE]", "> Note"],
    ["- We take the pump. ^heat-pump", "- We take the pump."],
    ["- We take %%the old%% the [[Pump]].", "- We take the Pump."],
    ["^d1", ""],
    ["2 ^ 3, x^2 and a ^b c", "2 ^ 3, x^2 and a ^b c"],
    ["==important== a == b", "important a == b"],
    ["`[[code]]` and [a site](https://example.org)", "`[[code]]` and [a site](https://example.org)"],
    ["if (a[[0]] == b[[1]]) x", "if (a0 == b1) x"],
  ];
  for (const [written, shown] of cases) assert.equal(readableMarkdown(written), shown, written);
});

test("front matter at the top is left out, unless there is nothing else", () => {
  assert.equal(readableMarkdown("---\ntags: [a]\n---\n# Title\n"), "# Title\n");
  assert.equal(readableMarkdown("---\ntags: [a]\n---"), "---\ntags: [a]\n---");
});

test("a text without front matter keeps its lines", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("[[", "]]", "`", "``", "==", "- [x] ", "> [!a]", "b", "\n")),
      (parts) => {
        const text = parts.join("");
        assert.equal(readableMarkdown(text).split("\n").length, text.split("\n").length);
      },
    ),
  );
});

test("the title of a note is that of its front matter, else the heading it begins with", async () => {
  assert.equal(await titleOfNote("---\ntitle: Kitchen\n---\n# Other\n"), "Kitchen");
  assert.equal(await titleOfNote("---\ntags: [a]\n---\n\n# Ada Holm\n\n- one\n"), "Ada Holm");
  assert.equal(await titleOfNote("## Second level ##\ntext\n"), "Second level");
});

test("the first of several sections is not the title of the note", async () => {
  assert.equal(await titleOfNote("## Todo\n\n- [ ] paint\n\n## Done\n"), null);
  assert.equal(await titleOfNote("## Board\n\n### Todo\n\n### Done\n"), "Board");
  assert.equal(await titleOfNote("# One\n\n# Two\n"), "One");
});

test("links and tags above the heading do not hide it", async () => {
  assert.equal(await titleOfNote("<< [[2025-03-03]] | [[2025-03-05]] >>\n\n# Tuesday\n"), "Tuesday");
  assert.equal(await titleOfNote("#daily #home\n[Up](index.md)\n# Tuesday\n"), "Tuesday");
  assert.equal(await titleOfNote("See [[a]]\n# Section\n"), null);
});

test("a note that begins with text has no title", async () => {
  assert.equal(await titleOfNote("Just text.\n\n# A section\n"), null);
  assert.equal(await titleOfNote(""), null);
});
