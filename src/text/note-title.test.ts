import assert from "node:assert/strict";
import { test } from "node:test";
import { titleOfNote } from "./note-title.ts";

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
