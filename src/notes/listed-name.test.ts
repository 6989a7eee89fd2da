import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import { ignoresCase } from "../../test/support/platform.ts";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { foldName, listedName } from "./listed-name.ts";
import { openNotes } from "./notes.ts";

test("a path is spelt as its folders list it, and left alone where that is another file or none", (t) => {
  const { dir } = makeTemporaryFolder(t, { "Projects/Alpha.md": "x", "Projects/beta.md": "x" });
  for (const given of ["projects/alpha.md", "PROJECTS/ALPHA.md", "Projects/alpha.md"])
    assert.equal(listedName(dir, given), ignoresCase ? "Projects/Alpha.md" : given);
  for (const given of ["Projects/Alpha.md", "Projects/beta.md", "Projects/gamma.md", "none/x.md"])
    assert.equal(listedName(dir, given), given);
});

test("names that differ in letter case or normal form alone are folded to one", () => {
  const name = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(name, (each) => {
      assert.equal(foldName(each.normalize("NFD")), foldName(each.normalize("NFC")));
      assert.equal(foldName(foldName(each)), foldName(each));
    }),
  );
  assert.equal(foldName("Übung.md"), foldName("u\u0308BUNG.MD"));
  // Apple's file systems take the long s for an s.
  assert.equal(foldName("entrie\u017f.md"), foldName("ENTRIES.md"));
});

test("what is excluded or private stays so by every spelling of its name", async (t) => {
  const folder = makeTemporaryFolder(t, {
    "MEMORY.md": "private\n",
    "memory/entries.md": "private\n",
    "memory/secret/plan.md": "left out\n",
    "memory/open.md": "open\n",
  });
  const notes = openNotes({
    workspaceDir: folder.dir,
    extraPaths: ["."],
    exclude: ["secret/"],
    timezone: "UTC",
    withLock: async (work) => work(),
  });
  for (const path of ["memory/Secret/plan.md", "memory/secret/PLAN.md", "memory/SECRET/Plan.md"]) {
    const { text } = await notes.readLines({ path }).catch(() => ({ text: "" }));
    assert.equal(text, "", path);
    await assert.rejects(
      notes.removeNote({ path, expected: { text: "left out" } }),
      /no such note|leaves it out/,
    );
  }
  for (const path of ["memory/Entries.md", "Memory.md", "memory/ENTRIES.md"]) {
    const { text } = await notes.readLines({ path, sharedOnly: true }).catch(() => ({ text: "" }));
    assert.equal(text, "", path);
  }
  if (!ignoresCase) return;
  assert.equal((await notes.readLines({ path: "memory/Open.md" })).path, "memory/open.md");
  const added = await notes.append({ text: "more", to: "memory/OPEN.md" });
  assert.equal(added.path, "memory/open.md");
});

test("a name is read by either normal form where the file system takes them for one, and shown as it is listed", async (t) => {
  const folder = makeTemporaryFolder(t, { "memory/\u00dcbung.md": "text\n" });
  const notes = openNotes({
    workspaceDir: folder.dir,
    extraPaths: [],
    exclude: [],
    timezone: "UTC",
    withLock: async (work) => work(),
  });
  const [listed] = (await notes.scan()).entries;
  assert.equal((await notes.read(listed!.path))?.text, "text\n");
  for (const form of ["NFC", "NFD"] as const) {
    const path = listed!.path.normalize(form);
    if (!existsSync(folder.at(path))) continue;
    const lines = await notes.readLines({ path });
    assert.deepEqual([lines.path, lines.text], [listed!.path, "text"]);
  }
});
