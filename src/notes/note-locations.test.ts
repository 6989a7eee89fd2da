import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import { test } from "node:test";
import { ignoresCase, skipOnWindows, skipWithoutLinks } from "../../test/support/platform.ts";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { extraLocations, nameBelow, ownLocations, resolveWorkspace } from "./note-locations.ts";

const shapes = (locations: ReturnType<typeof ownLocations>) =>
  locations.map(({ kind, shown, start, isWritable, reason }) =>
    [kind, shown, start === shown ? "" : start, isWritable ? "own" : "extra", reason]
      .filter(Boolean)
      .join(" "),
  );

test("the workspace's own notes are MEMORY.md, memory.md instead of it, and memory/", (t) => {
  const folder = makeTemporaryFolder(t, { "none/a.txt": "", "small/memory.md": "", "both/MEMORY.md": "" });
  const own = (name: string, include?: "memory" | "all") =>
    shapes(ownLocations({ workspaceDir: folder.at(name), include }));
  assert.deepEqual(own("none"), ["file MEMORY.md own", "file memory.md own", "folder memory own"]);
  assert.deepEqual(own("both"), ["file MEMORY.md own", "folder memory own"]);
  assert.deepEqual(own("both", "all").at(-1), "folder own");
  if (ignoresCase) return;
  assert.deepEqual(own("small"), own("none"));
  folder.write("both/memory.md");
  assert.deepEqual(own("both"), ["file MEMORY.md own", "absent memory.md own excluded", "folder memory own"]);
});

test("extra paths are folders, files, or absent for a reason that is named", {
  skip: skipWithoutLinks || skipOnWindows("has no /dev/null"),
}, (t) => {
  const folder = makeTemporaryFolder(t, {
    "ws/docs/a.md": "",
    "ws/notes.md": "",
    "ws/list.txt": "",
    "ws/extra/b.md": "",
    "ws/a:b/c.md": "",
    "out/d.md": "",
  });
  symlinkSync(folder.at("out"), folder.at("ws/linked"));
  symlinkSync("loop", folder.at("ws/loop"));
  const paths = [
    ...[".", "docs", "notes.md", "list.txt", "extra", "a:b", "../out", "../out/d.md", "linked"],
    ...["/dev/null", "none", "none.md", "notes.md/inner.md", "loop", "../none.md"],
  ];
  const extra = extraLocations({ workspaceDir: folder.at("ws"), extraPaths: paths });
  assert.deepEqual(shapes(extra), [
    "folder extra",
    "folder docs extra",
    "file notes.md extra",
    "absent extra/3/list.txt list.txt extra excluded",
    "folder extra/4 extra",
    "folder extra/5 extra",
    "folder extra/6 extra",
    "file extra/7/d.md d.md extra",
    "folder extra/8 extra",
    "absent extra/9/null null extra not-a-file",
    "absent none extra missing",
    "absent none.md extra missing",
    "absent notes.md/inner.md extra missing",
    "absent loop extra unreadable",
    "absent extra/14/none.md extra missing",
  ]);
  assert.equal(extra[0]!.detail, "extraPaths[0] is .");
  assert.equal(extra[3]!.detail, "extraPaths[3] is list.txt; only .md files are notes");
  assert.deepEqual(
    extra.map(({ root }) => root).slice(6, 9),
    Array(3).fill(folder.at("out")),
    "with links followed",
  );
  assert.deepEqual(extraLocations({ workspaceDir: folder.at("nowhere"), extraPaths: [] }), []);
});

test("a name below a folder is relative to it, and one outside is none", () => {
  for (const [folder, inner, name] of [
    ["/notes", "/notes", ""],
    ["/notes", "/notes/a/b", "a/b"],
    ["/notes", "/notes-old", null],
    ["/notes", "/", null],
    ["/", "/a", "a"],
  ] as const)
    if (process.platform !== "win32") assert.equal(nameBelow(folder, inner), name, inner);
});

test("a workspace that is no folder says why", (t) => {
  const folder = makeTemporaryFolder(t, { file: "" });
  assert.equal(resolveWorkspace(folder.dir), folder.dir);
  for (const [path, why] of [
    [folder.at("none"), /: it does not exist\.$/],
    [folder.at("file"), /: it is not a folder\.$/],
    [folder.at("file/inner"), process.platform === "win32" ? /./ : /: the system says ENOTDIR\.$/],
  ] as const)
    assert.throws(() => resolveWorkspace(path), { code: "workspace-missing", message: why });
});
