import assert from "node:assert/strict";
import {
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { test } from "node:test";
import {
  skipDeletingOpenFiles,
  skipReplacingOpenFiles,
  skipWithoutHardLinks,
} from "../../test/support/platform.ts";
import { makeTemporaryFolder, type TemporaryFolder } from "../../test/support/temporary-folder.ts";
import { LonghandError } from "../errors.ts";
import { type EditStep, editNote } from "./edit-file.ts";
import { maxNoteBytes } from "./read.ts";
import { openSeenNote } from "./seen-note.ts";

const now = () => new Date();
const location = (folder: TemporaryFolder) => ({
  path: "memory/a.md",
  root: folder.at("ws"),
  relative: "memory/a.md",
  isWritable: true,
});

test("later writes to a note are seen as long as it is open", {
  skip: skipReplacingOpenFiles || skipDeletingOpenFiles,
}, (t) => {
  const folder = makeTemporaryFolder(t, { "ws/memory/a.md": "old", "ws/memory/b.md": "other" });
  const file = folder.at("ws/memory/a.md");
  using seen = openSeenNote(location(folder));
  assert.equal(seen.bytes.toString(), "old");
  writeFileSync(file, "longer than before");
  assert.equal(seen.read(null).toString(), "longer than before");
  assert.equal(seen.isNamed(), true);
  rmSync(file);
  assert.equal(seen.isNamed(), false);

  assert.equal(seen.close(), true);
  assert.equal(seen.close(), false);
  assert.equal(seen.isNamed(), true);
  assert.equal(seen.read(null).toString(), "old");
  assert.equal(seen.read(folder.at("ws/memory/b.md")).toString(), "other");
});

test("a large note is compared whole, up to the maximum size", (t) => {
  const folder = makeTemporaryFolder(t, { "ws/memory/a.md": "" });
  const file = folder.at("ws/memory/a.md");
  truncateSync(file, maxNoteBytes);
  editNote(location(folder), (bytes) => Buffer.from(bytes).fill("b", 0, 1), { now });
  assert.deepEqual([statSync(file).size, readFileSync(file)[0]], [maxNoteBytes, 98]);
  const over = Buffer.alloc(maxNoteBytes + 1);
  assert.throws(() => editNote(location(folder), () => over, { now }), {
    code: "note-too-large",
    message: / would have /,
  });
  truncateSync(file, maxNoteBytes + 1);
  assert.throws(() => editNote(location(folder), () => null, { now }), {
    code: "note-too-large",
    message: / has /,
  });
});

test("an edit that changes nothing, or is refused, keeps the file itself in place", (t) => {
  const folder = makeTemporaryFolder(t, { "ws/memory/a.md": "old\n" });
  const { ino } = statSync(folder.at("ws/memory/a.md"));
  const { before, after } = editNote(location(folder), (bytes) => Buffer.from(bytes), { now });
  assert.equal(before, after);
  const refused = new LonghandError("note-changed", "No.", { hint: "Read it again." });
  const refuse = () => {
    throw refused;
  };
  assert.throws(() => editNote(location(folder), refuse, { now }), refused);
  assert.equal(statSync(folder.at("ws/memory/a.md")).ino, ino);
});

test("a note whose folder is moved away during the edit is left alone", {
  skip: skipReplacingOpenFiles,
}, (t) => {
  const folder = makeTemporaryFolder(t, { "ws/memory/a.md": "old\n" });
  const edit = () => {
    renameSync(folder.at("ws/memory"), folder.at("ws/elsewhere"));
    return Buffer.from("new\n");
  };
  assert.throws(() => editNote(location(folder), edit, { now }), {
    code: "note-changed",
    message: /it is gone/,
  });
  assert.equal(readFileSync(folder.at("ws/elsewhere/a.md"), "utf8"), "old\n");
});

// FUSE gives the replaced file another name, by which it looks as if it were still the note.
test("a note that is replaced between the check and the rename is kept", {
  skip: skipReplacingOpenFiles || skipDeletingOpenFiles,
}, (t) => {
  const folder = makeTemporaryFolder(t, { "ws/memory/a.md": "old\n", "ws/memory/b.md": "other\n" });
  const at = (step: EditStep) =>
    void (step === "checked" && renameSync(folder.at("ws/memory/b.md"), folder.at("ws/memory/a.md")));
  assert.throws(() => editNote(location(folder), () => Buffer.from("new\n"), { now, at }), {
    code: "note-changed",
    message: /another program replaced it meanwhile/,
  });
  assert.equal(readFileSync(folder.at("ws/memory/a.md"), "utf8"), "other\n");
});

test("a second name that a killed process left does not keep a note from being edited", {
  skip: skipWithoutHardLinks,
}, (t) => {
  const folder = makeTemporaryFolder(t, { "ws/memory/a.md": "old\n", "ws/memory/b.md": "b\n" });
  const link = folder.at("ws/memory/.longhand-0123456789abcdef.tmp");
  linkSync(folder.at("ws/memory/a.md"), link);
  editNote(location(folder), () => Buffer.from("new\n"), { now });
  assert.deepEqual(readdirSync(folder.at("ws/memory")), ["a.md", "b.md"]);
  linkSync(folder.at("ws/memory/b.md"), link);
  editNote(location(folder), () => null, { now });
  assert.equal(readFileSync(link, "utf8"), "b\n", "that of another note stays as long as it is fresh");
  assert.throws(() => editNote(location(folder), () => null, { now }), { message: /there is no such note/ });
});
