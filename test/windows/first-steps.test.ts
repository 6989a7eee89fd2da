import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { makeMemoryFixture } from "../support/memory-fixture.ts";
import { ignoresCase, isWindows } from "../support/platform.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

/* What a user does first, with the paths, line ends and names that differ between systems. Runs everywhere. */

test("notes are added, found, shown and forgotten; paths of hits have slashes", async (t) => {
  const fixture = makeMemoryFixture(t, {
    "memory/projects/Alpha.md": "# Alpha\n\nThe kiln is fired on Wednesdays.\n",
  });
  const memory = await fixture.open();
  await memory.add("The glaze needs two coats.", { to: "memory/projects/glaze.md" });
  const [hit] = (await memory.search("when is the kiln fired?")).results;
  assert.equal(hit?.path, "memory/projects/Alpha.md");
  assert.equal(
    (await memory.search("how many coats of glaze?")).results[0]?.path,
    "memory/projects/glaze.md",
  );
  await memory.close();
  const again = await fixture.open();
  assert.match((await again.readNote({ path: "memory/projects/glaze.md" }))?.text ?? "", /two coats/);
});

test("a note with CRLF keeps every byte that was not meant", async (t) => {
  const before = "# Notes\r\n\r\n- one\r\n- two\r\n";
  const fixture = makeMemoryFixture(t, { "memory/crlf.md": before });
  const memory = await fixture.open();
  await memory.add("three", { to: "memory/crlf.md" });
  const after = readFileSync(fixture.at("memory/crlf.md"), "utf8");
  assert.ok(after.startsWith(before), JSON.stringify(after));
  assert.doesNotMatch(after.slice(before.length), /(?<!\r)\n/, "what is added has the same line ends");
});

test("names that mean something else on Windows are refused on every system", async (t) => {
  const memory = await makeMemoryFixture(t).open();
  const names = ["CON", "nul", "COM1.log", "aux.x", "trailing.", "space ", "a:stream", "C:x", "b\\c", "LPT¹"];
  for (const name of names) {
    for (const path of [`memory/${name}.md`, `memory/${name}/a.md`, `memory/${name}`]) {
      const isPlain = path === "memory/trailing..md" || path === "memory/space .md";
      if (!isPlain)
        await assert.rejects(memory.add("x", { to: path }), { code: "path-outside-memory" }, path);
    }
  }
  for (const path of [
    "C:\\Windows\\win.ini",
    "\\\\nas\\share\\a.md",
    "//nas/share/a.md",
    "/etc/a.md",
    "..\\a.md",
  ])
    await assert.rejects(memory.readNote({ path }), { code: "path-outside-memory" }, path);
});

test("a note may lie deeper than 260 characters", async (t) => {
  const fixture = makeMemoryFixture(t);
  const memory = await fixture.open();
  const path = `memory/${"a-folder-with-a-long-name/".repeat(12)}note.md`;
  await memory.add("A deep thought about stoneware.", { to: path });
  assert.equal((await memory.search("stoneware")).results[0]?.path, path);
});

test("a memory may lie deeper than 260 characters, and so may its index", async (t) => {
  const fixture = makeMemoryFixture(t);
  const workspace = fixture.at(Array(12).fill("a-folder-with-a-long-name").join("/"));
  mkdirSync(workspace, { recursive: true });
  const memory = await fixture.open({ workspace, stateDir: join(workspace, "state") });
  await memory.add("A deep thought about stoneware.");
  assert.equal((await memory.search("stoneware")).results.length, 1);
  assert.equal((await memory.status()).workspaceDir, workspace);
});

test("two spellings of a workspace share a lock where the file system ignores case", {
  skip: !ignoresCase && "the file system is case-sensitive",
}, async (t) => {
  const fixture = makeMemoryFixture(t);
  mkdirSync(fixture.at("My Notes"));
  if (realpathSync.native(fixture.at("my notes")) !== fixture.at("My Notes"))
    return t.skip("Linux does not say how a folder is spelt");
  for (const [name, text] of [
    ["My Notes", "The kiln is hot."],
    ["my notes", "A boat has two oars."],
  ] as const) {
    const memory = await fixture.open({ workspace: fixture.at(name) });
    assert.equal((await memory.add(text)).duplicate, false);
  }
  const locks = readdirSync(join(fixture.stateDir, "locks")).filter((name) => name.startsWith("notes-"));
  assert.equal(locks.length, 1, locks.join());
});

test("the command line takes paths as the system writes them", (t) => {
  const folder = makeTemporaryFolder(t);
  const workspace = folder.makeFolder("my notes");
  const bin = join(import.meta.dirname, "../../src/cli/bin.ts");
  const run = (...words: string[]) => {
    const globals = ["--workspace", workspace, "--state-dir", folder.at("state"), "--json"];
    const { stdout, stderr, status } = spawnSync(process.execPath, [bin, ...words, ...globals], {
      encoding: "utf8",
      env: { ...process.env, HOME: folder.dir, USERPROFILE: folder.dir },
    });
    assert.equal(status, 0, stderr);
    return JSON.parse(stdout) as { path?: string; results?: { path: string }[] };
  };
  mkdirSync(join(workspace, "memory"));
  writeFileSync(join(workspace, "memory", "tea.md"), "The tea is in the blue tin.\n");
  assert.equal(run("add", "The cups are on the shelf.", "--to", "memory/cups.md").path, "memory/cups.md");
  assert.equal(run("search", "where is the tea?").results?.[0]?.path, "memory/tea.md");
  if (isWindows) assert.match(workspace, /^[A-Z]:\\/);
});
