import assert from "node:assert/strict";
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, truncateSync } from "node:fs";
import { test } from "node:test";
import { skipWithoutModes } from "../../test/support/platform.ts";
import { makeTemporaryFolder, type TemporaryFolder } from "../../test/support/temporary-folder.ts";
import { sha256 } from "../text/hash.ts";
import { giveName } from "./exchange-bytes.ts";
import { openNotes } from "./notes.ts";
import { maxNoteBytes } from "./read.ts";

function open(folder: TemporaryFolder) {
  return openNotes({
    workspaceDir: folder.at("ws"),
    extraPaths: ["../more"],
    exclude: ["memory/out.md"],
    timezone: "UTC",
    withLock: async (work) => work(),
  });
}

test("a note is replaced byte for byte, created and deleted only if it is still as it was seen", async (t) => {
  const odd = "\ufeffa\r\nb\nc";
  const folder = makeTemporaryFolder(t, { "ws/memory/a.md": odd });
  const notes = open(folder);
  const path = "memory/a.md";
  const { bytes, hash } = (await notes.readExact(path))!;
  assert.deepEqual(bytes, Buffer.from(odd));
  const after = Buffer.from("x\r\ny\n");
  await assert.rejects(notes.exchange({ path, before: sha256("other"), after }), { code: "note-changed" });
  await assert.rejects(notes.exchange({ path, before: null, after }), { code: "note-changed" });
  await notes.exchange({ path, before: hash, after });
  assert.deepEqual(readFileSync(folder.at("ws/memory/a.md")), after);
  await notes.exchange({ path, before: sha256(after), after: bytes });
  assert.deepEqual(readFileSync(folder.at("ws/memory/a.md")), Buffer.from(odd));

  const made = "memory/archive/deep/b.md";
  assert.equal(await notes.readExact(made), null);
  await notes.exchange({ path: made, before: null, after, mode: 0o600 });
  if (!skipWithoutModes) assert.equal(statSync(folder.at(`ws/${made}`)).mode & 0o777, 0o600);
  await assert.rejects(notes.exchange({ path: made, before: null, after }), { code: "note-changed" });
  await notes.exchange({ path: made, before: sha256(after), after: null });
  assert.ok(!existsSync(folder.at(`ws/${made}`)));
  await notes.exchange({ path: made, before: null, after: null });
  assert.deepEqual(readdirSync(folder.at("ws/memory/archive/deep")), []);
});

test("files outside the workspace, excluded or read-only stay unchanged", async (t) => {
  const files = { "ws/memory/a.md": "a\n", "ws/memory/out.md": "a\n", "more/b.md": "a\n" };
  const folder = makeTemporaryFolder(t, files);
  chmodSync(folder.at("ws/memory/a.md"), 0o444);
  const notes = open(folder);
  const change = { before: sha256("a\n"), after: Buffer.from("b\n") };
  for (const path of ["extra/0/b.md", "memory/out.md", "../x.md", "README.md"]) {
    await assert.rejects(notes.exchange({ path, ...change }), { code: "path-outside-memory" }, path);
  }
  // exFAT has no read-only files.
  if ((statSync(folder.at("ws/memory/a.md")).mode & 0o222) === 0)
    await assert.rejects(notes.exchange({ path: "memory/a.md", ...change }), {
      code: "note-unwritable",
      message: /read-only/,
    });
  for (const [name, text] of Object.entries(files)) assert.equal(readFileSync(folder.at(name), "utf8"), text);
});

test("without hard links a new note gets its name by a rename, which never replaces another note", (t) => {
  const folder = makeTemporaryFolder(t, { draft: "new", "taken.md": "theirs" });
  // The codes of Linux and macOS, and of Windows on exFAT and WebDAV.
  for (const code of ["EPERM", "ENOTSUP", "EISDIR", "EINVAL"]) {
    const refuse = () => {
      throw Object.assign(new Error(code), { code, syscall: "link" });
    };
    const name = (file: string) => giveName(folder.at("draft"), folder.at(file), file, refuse);
    assert.throws(() => name("taken.md"), { code: "note-changed" });
    name(`${code}.md`);
    assert.equal(readFileSync(folder.at(`${code}.md`), "utf8"), "new");
    folder.write("draft", "new");
  }
  assert.equal(readFileSync(folder.at("taken.md"), "utf8"), "theirs");
});

test("a note of the maximum size is read and replaced, a larger one is not", async (t) => {
  const folder = makeTemporaryFolder(t, { "ws/memory/a.md": "" });
  const notes = open(folder);
  const path = "memory/a.md";
  truncateSync(folder.at("ws/memory/a.md"), maxNoteBytes);
  const largest = (await notes.readExact(path))!;
  assert.equal(largest.bytes.length, maxNoteBytes);
  assert.equal(largest.hash, sha256(largest.bytes));
  const over = Buffer.alloc(maxNoteBytes + 1);
  const refused = { code: "note-too-large", message: / would have 16\.1 MiB/ };
  await assert.rejects(notes.exchange({ path, before: largest.hash, after: over }), refused);
  await notes.exchange({ path, before: largest.hash, after: Buffer.alloc(maxNoteBytes, "b") });
  await assert.rejects(notes.exchange({ path: "memory/new/b.md", before: null, after: over }), refused);
  assert.deepEqual(readdirSync(folder.at("ws/memory")), ["a.md"]);
  const made = "memory/new/c.md";
  await notes.exchange({ path: made, before: null, after: largest.bytes });
  assert.equal(statSync(folder.at(`ws/${made}`)).size, maxNoteBytes);
  if (!skipWithoutModes) assert.equal((await notes.readExact(made))?.mode, 0o644);
  truncateSync(folder.at("ws/memory/a.md"), maxNoteBytes + 1);
  const tooLarge = { code: "note-too-large", message: / has 16\.1 MiB/ };
  await assert.rejects(notes.readExact(path), tooLarge);
  await assert.rejects(notes.exchange({ path, before: largest.hash, after: null }), tooLarge);
});

test("a note that must not exist is checked for, whether its folder exists or not", async (t) => {
  const folder = makeTemporaryFolder(t, { "ws/memory/a.md": "a\n" });
  const notes = open(folder);
  await assert.rejects(notes.exchange({ path: "memory/a.md", before: null, after: null }), {
    code: "note-changed",
    message: /there is such a note by now/,
  });
  const path = "memory/none/b.md";
  const outcome = { path, before: "", after: null };
  assert.deepEqual(await notes.exchange({ path, before: null, after: null }), outcome);
  assert.deepEqual(readdirSync(folder.at("ws/memory")), ["a.md"]);
});

test("empty folders of a note are removed from the bottom up, as far as they are empty", async (t) => {
  const folder = makeTemporaryFolder(t, { "ws/memory/a/b/c/d.md": "", "ws/memory/a/e.md": "" });
  const notes = open(folder);
  await notes.removeEmptyFolders("memory/a/b/c/d.md");
  assert.ok(existsSync(folder.at("ws/memory/a/b/c/d.md")));
  rmSync(folder.at("ws/memory/a/b/c/d.md"));
  await notes.removeEmptyFolders("memory/none/at/all.md");
  await notes.removeEmptyFolders("memory/a/b/c/d.md");
  assert.deepEqual(readdirSync(folder.at("ws/memory/a")), ["e.md"]);
  rmSync(folder.at("ws/memory/a/e.md"));
  await notes.removeEmptyFolders("memory/a/e.md");
  assert.deepEqual(readdirSync(folder.at("ws/memory")), []);
  await notes.removeEmptyFolders("memory/f.md");
  assert.deepEqual(readdirSync(folder.at("ws")), ["memory"]);
});
