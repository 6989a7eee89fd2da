import assert from "node:assert/strict";
import { existsSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { ignoresCase, skipWhereCaseIsIgnored, skipWithoutLinks } from "../../test/support/platform.ts";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { LonghandError } from "../errors.ts";
import { listedName, locateNote } from "./locate.ts";
import { foldName } from "./note-path.ts";
import { openNotes } from "./notes.ts";

const outside = { code: "path-outside-memory" };

test("the workspace's own notes are located, whether they exist or not", (t) => {
  const { dir } = makeTemporaryFolder(t, { "MEMORY.md": "" });
  const workspace = { workspaceDir: dir, extraPaths: [] };
  for (const path of ["MEMORY.md", "memory/a.md", "memory/deep/er/b.md"]) {
    assert.deepEqual(locateNote(workspace, path), { path, root: dir, relative: path, isWritable: true });
  }
});

test("everything else in and around the workspace is outside the memory, and the error says what to do", (t) => {
  const { dir } = makeTemporaryFolder(t, { "MEMORY.md": "", "README.md": "", "memory/.git/x.md": "" });
  const workspace = { workspaceDir: dir, extraPaths: [] };
  const paths = [
    "README.md",
    "docs/a.md",
    "../../etc/passwd",
    "/etc/passwd",
    `${dir}/MEMORY.md`,
    "a.md\0.png",
    "memory/.git/x.md",
    "memory/.hidden.md",
    "memory/node_modules/x.md",
    "memoryx/a.md",
    "Memory/a.md",
    "extra/0/a.md",
    "extra/0",
    "memory/.md",
  ];
  for (const path of paths) {
    assert.throws(
      () => locateNote(workspace, path),
      (error) =>
        error instanceof LonghandError && error.code === outside.code && error.hint.includes("MEMORY.md"),
      path,
    );
  }
});

test("the error for a hidden file, or one in a hidden folder, says so", (t) => {
  const { dir } = makeTemporaryFolder(t, { "MEMORY.md": "" });
  for (const path of ["memory/.hidden.md", "memory/.git/x.md", "memory/node_modules/x.md"]) {
    assert.throws(() => locateNote({ workspaceDir: dir, extraPaths: [] }, path), {
      ...outside,
      message: /hidden files and node_modules are never read/,
    });
  }
});

test("the error for a Markdown file of the workspace says how to adopt it", (t) => {
  const { dir } = makeTemporaryFolder(t, { "README.md": "", "docs.md/a.txt": "" });
  const messageOf = (path: string) => {
    try {
      locateNote({ workspaceDir: dir, extraPaths: [] }, path);
      return "found";
    } catch (error) {
      const { message, hint } = error as LonghandError;
      return `${message.split(": ")[1]} ${/adopt` makes/.test(hint) ? "Adopt it." : ""}`;
    }
  };
  assert.equal(messageOf("README.md"), "that file is outside this memory. Adopt it.");
  for (const path of ["none.md", "docs.md", "none/a.md"])
    assert.equal(messageOf(path), "it is neither MEMORY.md nor below memory/. ", path);
});

test("memory.md is a note only while there is no MEMORY.md", { skip: skipWhereCaseIsIgnored }, (t) => {
  const folder = makeTemporaryFolder(t, { "memory.md": "x" });
  const workspace = { workspaceDir: folder.dir, extraPaths: [] };
  assert.equal(locateNote(workspace, "memory.md").relative, "memory.md");
  folder.write("MEMORY.md");
  assert.throws(() => locateNote(workspace, "memory.md"), outside);
});

test("notes of extraPaths are numbered when they lie outside, and relative to the workspace when inside", (t) => {
  const folder = makeTemporaryFolder(t, {
    "ws/docs/a.md": "",
    "out/b.md": "",
    "single.md": "",
    "ws/README.md": "",
  });
  const extraPaths = [folder.at("out"), "docs", "../single.md", "README.md"];
  const workspace = { workspaceDir: folder.at("ws"), extraPaths };
  const find = (path: string) => {
    const { root, relative, isWritable } = locateNote(workspace, path);
    assert.equal(isWritable, false);
    return join(root, relative);
  };
  assert.equal(find("extra/0/b.md"), folder.at("out/b.md"));
  assert.equal(find("extra/0/deep/none.md"), folder.at("out/deep/none.md"));
  assert.equal(find("docs/a.md"), folder.at("ws/docs/a.md"));
  assert.equal(find("extra/2/single.md"), folder.at("single.md"));
  assert.equal(find("README.md"), folder.at("ws/README.md"));
  for (const path of [
    "extra/1/a.md",
    "extra/2/other.md",
    "extra/4/a.md",
    "extra/00/b.md",
    "docs2/a.md",
    "extra/0/.x.md",
    "extra/2/single.md/a.md",
    "README.md/a.md",
  ]) {
    assert.throws(() => locateNote(workspace, path), outside, path);
  }
});

test("an extra path that leads through a symlink counts as its real path", {
  skip: skipWithoutLinks,
}, (t) => {
  const folder = makeTemporaryFolder(t, { "ws/docs/a.md": "", "out/b.md": "" });
  symlinkSync(folder.at("out"), folder.at("ws/linked"));
  symlinkSync(folder.at("ws"), folder.at("alias"));
  const workspace = { workspaceDir: folder.at("alias"), extraPaths: ["linked", folder.at("ws/docs")] };
  assert.equal(locateNote(workspace, "extra/0/b.md").root, folder.at("out"));
  assert.equal(locateNote(workspace, "docs/a.md").root, folder.at("ws/docs"));
  assert.throws(() => locateNote(workspace, "linked/b.md"), outside);
});

test("a number always means a position in extraPaths, also beside a folder called extra", (t) => {
  const folder = makeTemporaryFolder(t, { "ws/extra/1/a.md": "", "out/a.md": "" });
  const named = { workspaceDir: folder.at("ws"), extraPaths: ["extra", folder.at("out")] };
  assert.equal(locateNote(named, "extra/1/a.md").root, folder.at("out"));
  assert.equal(locateNote(named, "extra/0/1/a.md").root, folder.at("ws/extra"));
  const whole = { workspaceDir: folder.at("ws"), extraPaths: [".", folder.at("out")] };
  assert.equal(locateNote(whole, "extra/1/a.md").root, folder.at("out"));
});

test("a private note gets no second name from an extra path above the workspace", (t) => {
  const folder = makeTemporaryFolder(t, { "ws/MEMORY.md": "", "ws/memory/a.md": "", "ws/README.md": "" });
  const workspace = { workspaceDir: folder.at("ws"), extraPaths: [folder.dir] };
  assert.equal(locateNote(workspace, "extra/0/ws/README.md").relative, "ws/README.md");
  for (const path of ["extra/0/ws/MEMORY.md", "extra/0/ws/memory/a.md", "extra/0/ws/memory.md"]) {
    assert.throws(() => locateNote(workspace, path), outside, path);
  }
});

test("a note of a missing extra path still has a location, so that reading it finds nothing", (t) => {
  const { dir } = makeTemporaryFolder(t);
  const workspace = { workspaceDir: dir, extraPaths: ["gone", "/nowhere/at/all", "gone.md"] };
  assert.equal(locateNote(workspace, "gone/a.md").root, join(dir, "gone"));
  assert.equal(locateNote(workspace, "extra/1/a.md").root, resolve(dir, "/nowhere/at/all"));
  assert.equal(locateNote(workspace, "gone.md").root, join(dir, "gone.md"));
});

test("an extra file that is not Markdown is no note, also behind a name that ends in .md", {
  skip: skipWithoutLinks,
}, (t) => {
  const folder = makeTemporaryFolder(t, { "secret.txt": "" });
  symlinkSync(folder.at("secret.txt"), folder.at("note.md"));
  folder.makeFolder("ws");
  const workspace = { workspaceDir: folder.at("ws"), extraPaths: [folder.at("note.md")] };
  assert.throws(() => locateNote(workspace, "extra/0/note.md"), outside);
});

test("a workspace that is missing or not a folder is named in the error", (t) => {
  const folder = makeTemporaryFolder(t, { file: "" });
  for (const name of ["none", "file", "file/below"]) {
    const workspaceDir = folder.at(name);
    assert.throws(
      () => locateNote({ workspaceDir, extraPaths: [] }, "MEMORY.md"),
      (error) =>
        error instanceof LonghandError &&
        error.code === "workspace-missing" &&
        error.message.includes(workspaceDir),
    );
  }
});

test("in an adopted folder, extra/0 means the first of extraPaths", (t) => {
  const { dir } = makeTemporaryFolder(t, { "notes/a.md": "", "notes/extra/own.md": "", "more/b.md": "" });
  const workspace = { workspaceDir: join(dir, "notes"), extraPaths: ["../more"], include: "all" } as const;
  assert.deepEqual(locateNote(workspace, "extra/0/b.md"), {
    path: "extra/0/b.md",
    root: join(dir, "more"),
    relative: "b.md",
    isWritable: false,
  });
  assert.equal(locateNote(workspace, "extra/own.md").root, join(dir, "notes"));
  assert.equal(locateNote(workspace, "a.md").isWritable, true);
});

test("a path is spelt as its folders list it, and left unchanged where that is another file or none", (t) => {
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
  // Apple's file systems treat the long s as an s.
  assert.equal(foldName("entrie\u017f.md"), foldName("ENTRIES.md"));
});

test("what is excluded or private stays so under every spelling of its name", async (t) => {
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

test("a name can be read in either normal form where the file system ignores it, and is shown as listed", async (t) => {
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
