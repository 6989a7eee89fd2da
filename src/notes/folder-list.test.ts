import assert from "node:assert/strict";
import { mkdirSync, renameSync, rmSync, statSync, symlinkSync } from "node:fs";
import { test } from "node:test";
import { skipWithoutLinks } from "../../test/support/platform.ts";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { createFolderList } from "./folder-list.ts";
import { extraLocations, ownLocations } from "./note-locations.ts";

test("in the workspace only its own names count, in a folder of notes all but hidden ones", (t) => {
  const folder = makeTemporaryFolder(t, { "ws/memory/a.md": "" });
  const list = createFolderList();
  for (const location of ownLocations({ workspaceDir: folder.at("ws") })) list.addRoot(location);
  list.addTree(folder.at("ws/memory"), statSync(folder.at("ws/memory"), { bigint: true }));
  const [root, notes, ...others] = list.all();
  assert.deepEqual([root?.path, notes?.path, others], [folder.at("ws"), folder.at("ws/memory"), []]);
  const names = ["MEMORY.md", "memory.md", "memory", ".longhandignore", "README.md", ".git"];
  assert.deepEqual(
    names.filter((name) => root!.concerns(name)),
    names.slice(0, 4),
  );
  assert.deepEqual(
    names.filter((name) => notes!.concerns(name)),
    ["MEMORY.md", "memory.md", "memory", "README.md"],
  );
  assert.notEqual(root!.id, notes!.id);

  assert.deepEqual([root!.isUnchanged(), notes!.isUnchanged()], [true, true]);
  folder.write("ws/memory/b.md");
  assert.deepEqual([root!.isUnchanged(), notes!.isUnchanged()], [true, false]);
  rmSync(folder.at("ws/memory"), { recursive: true });
  assert.deepEqual([root!.isUnchanged(), notes!.isUnchanged()], [false, false]);
});

test("a folder that is listed twice minds the names of both, and a missing one is not listed", (t) => {
  const folder = makeTemporaryFolder(t, { "ws/a.md": "", "out/b.md": "", "out/c.md": "" });
  const list = createFolderList();
  const extraPaths = ["../out/b.md", "../out/c.md", "../none", "../none.md"];
  for (const location of extraLocations({ workspaceDir: folder.at("ws"), extraPaths }))
    list.addRoot(location);
  const [out, ...others] = list.all();
  assert.deepEqual([out?.path, others], [folder.at("out"), []]);
  assert.deepEqual(
    ["b.md", "c.md", "d.md"].map((name) => out!.concerns(name)),
    [true, true, false],
  );
  assert.equal(out!.isUnchanged(), true);
});

test("a folder changes when the link that led to it leads elsewhere", { skip: skipWithoutLinks }, (t) => {
  const folder = makeTemporaryFolder(t, { "first/memory/a.md": "", "second/memory/a.md": "" });
  symlinkSync(folder.at("first"), folder.at("ws"));
  const list = createFolderList();
  for (const location of ownLocations({ workspaceDir: folder.at("ws") })) list.addRoot(location);
  const [root] = list.all();
  assert.deepEqual([root?.path, root?.isUnchanged()], [folder.at("first"), true]);
  rmSync(folder.at("ws"));
  assert.equal(root!.isUnchanged(), false);
  symlinkSync(folder.at("second"), folder.at("ws"));
  assert.equal(root!.isUnchanged(), false);
  rmSync(folder.at("ws"));
  symlinkSync(folder.at("first"), folder.at("ws"));
  assert.equal(root!.isUnchanged(), true);
  renameSync(folder.at("first"), folder.at("old"));
  mkdirSync(folder.at("first"));
  assert.equal(root!.isUnchanged(), false);
});
