import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { test } from "node:test";
import { finish, firstOutput, startProgram, whileRunning } from "../../test/support/child-process.ts";
import { isWindows, skipWithoutLinks, skipWithoutModes } from "../../test/support/platform.ts";
import { swapperSource } from "../../test/support/swapper.ts";
import { makeTemporaryFolder, type TemporaryFolder } from "../../test/support/temporary-folder.ts";
import { withFileLock } from "../stores/lock.ts";
import { sha256 } from "../text/hash.ts";
import { type EditStep, editNote } from "./edit-file.ts";
import { type NotesOptions, openNotes } from "./notes.ts";

const now = () => new Date();

function openWorkspace(folder: TemporaryFolder, options: Partial<NotesOptions> = {}) {
  folder.makeFolder("ws");
  return openNotes({
    workspaceDir: folder.at("ws"),
    extraPaths: [],
    exclude: [],
    timezone: "UTC",
    withLock: (work, { signal }) => withFileLock(folder.at("state/notes.lock"), { signal }, work),
    ...options,
  });
}

test("lines are removed from a note and its permissions are kept", async (t) => {
  const folder = makeTemporaryFolder(t, { "ws/memory/a.md": "one\ntwo\nthree\n" });
  chmodSync(folder.at("ws/memory/a.md"), 0o640);
  const result = await openWorkspace(folder).removeLines({
    path: "memory/a.md",
    passages: [{ startLine: 2, endLine: 2, text: "two" }],
  });
  assert.deepEqual(result, {
    path: "memory/a.md",
    before: sha256("one\ntwo\nthree\n"),
    after: sha256("one\nthree\n"),
  });
  assert.equal(readFileSync(folder.at("ws/memory/a.md"), "utf8"), "one\nthree\n");
  if (!skipWithoutModes) assert.equal(statSync(folder.at("ws/memory/a.md")).mode & 0o777, 0o640);
  assert.deepEqual(readdirSync(folder.at("ws/memory")), ["a.md"]);
});

test("a note is replaced or removed only if it is still as it was seen", async (t) => {
  const folder = makeTemporaryFolder(t, { "ws/MEMORY.md": "old\n" });
  const notes = openWorkspace(folder);
  const path = "MEMORY.md";
  for (const expected of [{ text: "older\n" }, { hash: sha256("older\n") }]) {
    await assert.rejects(notes.replace({ path, expected, text: "new\n" }), { code: "note-changed" });
    await assert.rejects(notes.removeNote({ path, expected }), { code: "note-changed" });
  }
  assert.equal(readFileSync(folder.at("ws/MEMORY.md"), "utf8"), "old\n");
  await notes.replace({ path, expected: { hash: sha256("old\n") }, text: "new\n" });
  assert.equal(readFileSync(folder.at("ws/MEMORY.md"), "utf8"), "new\n");
  assert.equal((await notes.removeNote({ path, expected: { text: "new" } })).after, null);
  assert.ok(!existsSync(folder.at("ws/MEMORY.md")));
  await assert.rejects(notes.removeNote({ path, expected: { text: "new" } }), {
    code: "note-changed",
    message: /no such note/,
  });
});

test("nothing but the workspace's own notes is edited", { skip: skipWithoutLinks }, async (t) => {
  const folder = makeTemporaryFolder(t, {
    "ws/memory/a.md": "text\n",
    "ws/memory/out.md": "text\n",
    "ws/README.md": "text\n",
    "more/b.md": "text\n",
    "outside/c.md": "text\n",
  });
  symlinkSync(folder.at("outside/c.md"), folder.at("ws/memory/link.md"));
  symlinkSync(folder.at("outside"), folder.at("ws/memory/folder"));
  linkSync(folder.at("ws/memory/a.md"), folder.at("ws/memory/twin.md"));
  const notes = openWorkspace(folder, { extraPaths: ["../more"], exclude: ["memory/out.md"] });
  const expected = { text: "text" };
  const outside = [
    "README.md",
    "extra/0/b.md",
    "memory/link.md",
    "memory/folder/c.md",
    "memory/out.md",
    "../x.md",
  ];
  for (const path of outside) {
    const request = { path, expected };
    await assert.rejects(notes.removeNote(request), { code: "path-outside-memory" }, path);
    await assert.rejects(notes.replace({ ...request, text: "" }), { code: "path-outside-memory" }, path);
  }
  for (const path of ["memory/a.md", "memory/twin.md"]) {
    await assert.rejects(notes.removeNote({ path, expected }), {
      code: "note-unwritable",
      message: /second name/,
    });
  }
  for (const path of ["ws/memory/a.md", "ws/README.md", "more/b.md", "outside/c.md"]) {
    assert.equal(readFileSync(folder.at(path), "utf8"), "text\n");
  }
});

test("a note that another program changes during the edit is left to that program", async (t) => {
  const folder = makeTemporaryFolder(t, { "ws/memory/a.md": "old\n", "ws/memory/b.md": "other\n" });
  const location = { path: "memory/a.md", root: folder.at("ws"), relative: "memory/a.md", isWritable: true };
  const file = folder.at("ws/memory/a.md");
  const meanwhile: [string, () => void, string | null][] = [
    ["appended to", () => appendFileSync(file, "more\n"), "old\nmore\n"],
    ["replaced", () => renameSync(folder.at("ws/memory/b.md"), file), "other\n"],
    ["moved away", () => renameSync(file, folder.at("ws/memory/c.md")), null],
  ];
  for (const [title, change, left] of meanwhile) {
    const edit = () => {
      change();
      return Buffer.from("new\n");
    };
    assert.throws(() => editNote(location, edit, { now }), { code: "note-changed" }, title);
    assert.equal(existsSync(file) ? readFileSync(file, "utf8") : null, left, title);
  }
  assert.deepEqual(readdirSync(folder.at("ws/memory")), ["c.md"], "nothing is left beside it");
});

test("text that reaches a note between the check and the edit is not lost", async (t) => {
  const change: Record<string, [(file: string) => void, string]> = {
    "appended to": [(file) => appendFileSync(file, "more\n"), "old\nmore\n"],
    "rewritten in place": [(file) => writeFileSync(file, "rewritten\n"), "rewritten\n"],
  };
  for (const [title, [meanwhile, left]] of Object.entries(change)) {
    for (const next of [Buffer.from("new\n"), null]) {
      const folder = makeTemporaryFolder(t, { "ws/memory/a.md": "old\n" });
      const file = folder.at("ws/memory/a.md");
      const location = {
        path: "memory/a.md",
        root: folder.at("ws"),
        relative: "memory/a.md",
        isWritable: true,
      };
      const at = (step: EditStep) => void (step === "checked" && meanwhile(file));
      assert.throws(() => editNote(location, () => next, { now, at }), { code: "note-changed" }, title);
      assert.equal(readFileSync(file, "utf8"), left, title);
      assert.deepEqual(readdirSync(folder.at("ws/memory")), ["a.md"], "nothing is left beside it");
    }
  }
});

test("a note that is replaced between the check and its removal is not removed", async (t) => {
  const folder = makeTemporaryFolder(t, { "ws/memory/a.md": "old\n", "ws/memory/b.md": "other\n" });
  const location = { path: "memory/a.md", root: folder.at("ws"), relative: "memory/a.md", isWritable: true };
  const at = () => renameSync(folder.at("ws/memory/b.md"), folder.at("ws/memory/a.md"));
  assert.throws(() => editNote(location, () => null, { now, at }), { code: "note-changed" });
  assert.equal(readFileSync(folder.at("ws/memory/a.md"), "utf8"), "other\n");
  assert.deepEqual(readdirSync(folder.at("ws/memory")), ["a.md"]);
});

test("an edit that another program overwrites at once is not reported as a success", async (t) => {
  const folder = makeTemporaryFolder(t, { "ws/memory/a.md": "old\n", "ws/memory/b.md": "other\n" });
  const location = { path: "memory/a.md", root: folder.at("ws"), relative: "memory/a.md", isWritable: true };
  const at = (step: EditStep) =>
    void (step === "exchanged" && renameSync(folder.at("ws/memory/b.md"), folder.at("ws/memory/a.md")));
  assert.throws(() => editNote(location, () => Buffer.from("new\n"), { now, at }), {
    code: "note-changed",
    message: /right after the edit/,
  });
  assert.equal(readFileSync(folder.at("ws/memory/a.md"), "utf8"), "other\n");
});

test("leftovers of a killed edit are never notes; an edit removes old ones, a forget all of them", async (t) => {
  const folder = makeTemporaryFolder(t, { "ws/memory/a.md": "a\n", "ws/memory/deep/b.md": "b\n" });
  const leftovers = ["ws/.longhand-0123456789abcdef.tmp", "ws/memory/deep/.longhand-fedcba9876543210.tmp"];
  for (const name of leftovers) folder.write(name, "half a no");
  const others = [
    "ws/memory/.longhand-notes.tmp",
    "ws/memory/longhand-0123456789abcdef.tmp",
    "ws/memory/.obsidian/.longhand-0123456789abcdef.tmp",
    "ws/src/.longhand-0123456789abcdef.tmp",
  ];
  for (const name of others) folder.write(name, "mine");
  const notes = openWorkspace(folder);
  const listing = await notes.scan();
  assert.deepEqual(
    listing.entries.map(({ path }) => path),
    ["memory/a.md", "memory/deep/b.md"],
  );
  const replaceB = async (text: string, next: string) =>
    await notes.replace({ path: "memory/deep/b.md", expected: { text }, text: next });
  await replaceB("b\n", "c\n");
  assert.ok(existsSync(folder.at(leftovers[1]!)), "it may belong to a process that is at work");
  utimesSync(folder.at(leftovers[1]!), 0, 0);
  await replaceB("c\n", "d\n");
  assert.ok(!existsSync(folder.at(leftovers[1]!)));
  folder.write(leftovers[1]!, "half a no");
  assert.equal(await notes.removeLeftovers(), 2);
  assert.deepEqual(
    leftovers.filter((name) => existsSync(folder.at(name))),
    [],
  );
  assert.deepEqual(
    others.filter((name) => !existsSync(folder.at(name))),
    [],
  );
});

test("an edit that is killed at any moment leaves the old note or the new one", async (t) => {
  const folder = makeTemporaryFolder(t);
  const versions = ["odd line\n", "even line\n"].map((line) => line.repeat(20_000));
  const file = folder.write("ws/memory/a.md", versions[0]!);
  const source = `
    import { openNotes } from ${JSON.stringify(new URL("./notes.ts", import.meta.url).href)};
    import { writeSync } from "node:fs";
    const [workspaceDir, ...lines] = process.argv.slice(1);
    const versions = lines.map((line) => (line + "\\n").repeat(20_000));
    const notes = openNotes({ workspaceDir, extraPaths: [], exclude: [], timezone: "UTC", withLock: async (work) => work() });
    const path = "memory/a.md";
    for (let turn = 0; ; turn++) {
      const { text } = await notes.read(path);
      const next = text === versions[0] ? versions[1] : versions[0];
      await notes.replace({ path, expected: { text }, text: next });
      if (turn === 0) writeSync(1, "ready");
    }`;
  const found = new Set<string>();
  // A start takes seconds under Wine.
  const rounds = isWindows ? 5 : 25;
  for (let round = 0; round < rounds; round++) {
    const child = startProgram(t, source, [folder.at("ws"), "odd line", "even line"]);
    const ended = finish(child);
    await firstOutput(child);
    // The kill falls anywhere within a few edits, each of which takes some milliseconds.
    for (let turn = 0; turn < round * 40; turn++) statSync(file);
    child.kill("SIGKILL");
    await ended;
    const text = readFileSync(file, "utf8");
    assert.ok(versions.includes(text), `round ${round}: ${text.length} characters`);
    found.add(text);
  }
  t.diagnostic(`${found.size} versions met, ${readdirSync(folder.at("ws/memory")).length - 1} leftovers`);
  for (const name of readdirSync(folder.at("ws/memory"))) utimesSync(folder.at(`ws/memory/${name}`), 0, 0);
  const notes = openWorkspace(folder);
  await notes.replace({
    path: "memory/a.md",
    expected: { text: readFileSync(file, "utf8") },
    text: "whole\n",
  });
  assert.deepEqual(readdirSync(folder.at("ws/memory")), ["a.md"]);
});

test("a folder swapped for a symlink during edits never lets one write outside", {
  skip: process.platform !== "linux" && "needs /proc",
}, async (t) => {
  const folder = makeTemporaryFolder(t, { "ws/memory/sub/a.md": "text\n", "out/a.md": "text\n" });
  const location = {
    path: "memory/sub/a.md",
    root: folder.at("ws"),
    relative: "memory/sub/a.md",
    isWritable: true,
  };
  const counts = { edited: 0, refused: 0 };
  const argv = [folder.at("ws/memory/sub"), folder.at("out")];
  await whileRunning(t, { source: swapperSource, argv }, () => {
    const endsAt = performance.now() + 700;
    while (performance.now() < endsAt || counts.edited * counts.refused === 0) {
      try {
        editNote(location, (bytes) => Buffer.concat([bytes, Buffer.from("x")]), { now });
        counts.edited++;
      } catch (error) {
        assert.match((error as { code: string }).code, /^(?:path-outside-memory|note-)/);
        counts.refused++;
      }
      if (performance.now() > endsAt + 10_000) break;
    }
  });
  t.diagnostic(`${counts.edited} edited, ${counts.refused} refused`);
  assert.equal(readFileSync(folder.at("out/a.md"), "utf8"), "text\n");
  assert.deepEqual(readdirSync(folder.at("out")), ["a.md"]);
});

test("a full disk leaves the note as it was", {
  skip: process.platform !== "linux" && "needs a limit on the size of files",
}, async (t) => {
  const folder = makeTemporaryFolder(t, { "ws/memory/a.md": "old\n" });
  // With a file size limit a write fails as on a full disk: part of it succeeds, then comes an error.
  const program = folder.write(
    "edit.mts",
    `import { openNotes } from ${JSON.stringify(new URL("./notes.ts", import.meta.url).href)};
    process.on("SIGXFSZ", () => {});
    const notes = openNotes({ workspaceDir: process.argv[2], extraPaths: [], exclude: [], timezone: "UTC", withLock: async (work) => work() });
    const text = "x".repeat(3_000_000);
    await notes.replace({ path: "memory/a.md", expected: { text: "old" }, text }).catch((error) => console.log(error.code));`,
  );
  const limited = ["-c", 'ulimit -f 1000; exec "$0" "$1" "$2"', process.execPath, program, folder.at("ws")];
  assert.equal(execFileSync("sh", limited, { encoding: "utf8" }).trim(), "note-unwritable");
  assert.equal(readFileSync(folder.at("ws/memory/a.md"), "utf8"), "old\n");
  assert.deepEqual(readdirSync(folder.at("ws/memory")), ["a.md"]);
});
