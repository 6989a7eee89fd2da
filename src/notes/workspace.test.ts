import assert from "node:assert/strict";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { skipWithoutLinks } from "../../test/support/platform.ts";
import { findNearestWorkspace, realFolder } from "./workspace.ts";

const root = await fs.realpath(await fs.mkdtemp(path.join(os.tmpdir(), "longhand-workspace-")));
after(() => fs.rm(root, { recursive: true }));
const state = path.join(root, "home", ".longhand");

async function folder(...parts: string[]): Promise<string> {
  const made = path.join(root, ...parts);
  await fs.mkdir(made, { recursive: true });
  return made;
}

function nearest(from: string): string | null {
  return findNearestWorkspace({ from, stateDirs: [state] });
}

test("a folder with MEMORY.md, memory.md or memory/ is found from itself and from inside it", async () => {
  for (const [name, make] of [
    ["upper", (at: string) => fs.writeFile(path.join(at, "MEMORY.md"), "")],
    ["lower", (at: string) => fs.writeFile(path.join(at, "memory.md"), "")],
    ["folder", (at: string) => fs.mkdir(path.join(at, "memory"))],
  ] as const) {
    const workspace = await folder(name);
    await make(workspace);
    assert.equal(nearest(workspace), workspace);
    assert.equal(nearest(await folder(name, "a", "b")), workspace);
  }
});

test("the nearest of two wins", async () => {
  const inner = await folder("upper", "project");
  await fs.mkdir(path.join(inner, "memory"));
  assert.equal(nearest(await folder("upper", "project", "src")), inner);
});

test("names of the wrong kind do not count", async () => {
  const at = await folder("wrong");
  await fs.mkdir(path.join(at, "MEMORY.md"));
  await fs.writeFile(path.join(at, "memory"), "");
  assert.notEqual(nearest(at), at);
});

test("the state folder is never a workspace, though it has memory/", async () => {
  await fs.mkdir(path.join(state, "memory"), { recursive: true });
  const inside = await folder("home", ".longhand", "agents", "main");
  assert.equal(nearest(state), nearest(root));
  assert.equal(nearest(inside), nearest(root));
  await fs.writeFile(path.join(state, "MEMORY.md"), "");
  assert.equal(nearest(state), nearest(root));
});

test("a folder whose memory/ belongs to the state folder is not a workspace, also through a link", {
  skip: skipWithoutLinks,
}, async () => {
  await fs.mkdir(path.join(state, "memory"), { recursive: true });
  const at = await folder("linked");
  await fs.symlink(path.join(state, "memory"), path.join(at, "memory"), "dir");
  assert.equal(nearest(at), nearest(root));
  const twin = path.join(root, "state-twin");
  await fs.symlink(state, twin, "dir");
  assert.equal(nearest(twin), nearest(root));
});

test("the default workspace inside the state folder is an ordinary workspace", async () => {
  const workspace = await folder("home", ".longhand", "workspace");
  await fs.mkdir(path.join(workspace, "memory"));
  assert.equal(nearest(await folder("home", ".longhand", "workspace", "memory", "2026")), workspace);
});

test("for a folder that does not exist, the folders above it are checked", async () => {
  const workspace = await folder("above");
  await fs.writeFile(path.join(workspace, "MEMORY.md"), "");
  assert.equal(nearest(path.join(workspace, "not", "there")), workspace);
});

test("a path is resolved as far as it exists", { skip: skipWithoutLinks }, async () => {
  const target = await folder("target");
  await fs.symlink(target, path.join(root, "link"), "dir");
  assert.equal(realFolder(path.join(root, "link", "new", "er")), path.join(target, "new", "er"));
  await fs.symlink(path.join(root, "nowhere"), path.join(root, "dangling"), "dir");
  assert.equal(realFolder(path.join(root, "dangling", "x")), path.join(root, "dangling", "x"));
  await fs.symlink(path.join(root, "loop"), path.join(root, "loop"), "dir");
  assert.equal(realFolder(path.join(root, "loop")), path.join(root, "loop"));
});
