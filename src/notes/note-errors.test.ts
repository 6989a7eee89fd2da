import assert from "node:assert/strict";
import { linkSync, lstatSync, symlinkSync } from "node:fs";
import { test } from "node:test";
import { fuseKind, isWindows, skipWithoutHardLinks, skipWithoutLinks } from "../../test/support/platform.ts";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import type { LonghandError } from "../errors.ts";
import { refuseWriting } from "./append-file.ts";
import { discoverNotes } from "./discover.ts";
import { extraLocations, ownLocations, resolveWorkspace } from "./note-locations.ts";
import { refuseReading, verifyByDescriptor } from "./open-note.ts";

const failure = (code: string) => Object.assign(new Error(`${code}: it failed`), { code });
const fault = new TypeError("a bug in the program");

test("a failed write can be retried where space was missing, and the hint says what to do", () => {
  const cases: [string, boolean, RegExp][] = [
    ["ENOSPC", true, /disk is full/],
    ["EDQUOT", true, /share of the disk/],
    ["EROFS", false, /read-only/],
    ["EIO", false, /disk reports an error/],
    ["EOTHER", false, /Check the disk/],
  ];
  for (const [code, retryable, hint] of cases) {
    const error = refuseWriting("memory/a.md", failure(code)) as LonghandError;
    assert.deepEqual([error.code, error.retryable], ["note-unwritable", retryable]);
    assert.match(error.hint, hint);
  }
  assert.equal(refuseWriting("memory/a.md", fault), fault);
});

test("a failed read can be retried, unless permission was denied", () => {
  const cases: [string, boolean, RegExp][] = [
    ["EACCES", false, /right to read/],
    ["EPERM", false, /right to read/],
    ["EIO", true, /Try again/],
  ];
  for (const [code, retryable, hint] of cases) {
    const error = refuseReading("memory/a.md", failure(code)) as LonghandError;
    assert.deepEqual([error.code, error.retryable], ["note-unreadable", retryable]);
    assert.match(error.hint, hint);
  }
  assert.equal(refuseReading("memory/a.md", fault), fault);
});

test("where /proc does not know the descriptor, the path is checked instead", (t) => {
  const folder = makeTemporaryFolder(t, { "a.md": "a", "b.md": "b" });
  const location = { path: "a.md", root: folder.dir, relative: "a.md", isWritable: true };
  const statsOf = (name: string) => lstatSync(folder.at(name), { bigint: true });
  const noDescriptor = 2 ** 30;
  assert.equal(verifyByDescriptor(noDescriptor, statsOf("a.md"), location), true);
  assert.equal(verifyByDescriptor(noDescriptor, statsOf("b.md"), location), false);
});

test("the error for an unusable workspace names it and the reason", (t) => {
  const folder = makeTemporaryFolder(t, { "a.md": "" });
  const error = (message: RegExp) => ({ code: "workspace-missing", message });
  assert.throws(() => resolveWorkspace(folder.at("none")), error(/none cannot be used: it does not exist/));
  assert.throws(() => resolveWorkspace(folder.at("a.md")), error(/it is not a folder/));
  assert.throws(
    () => resolveWorkspace(folder.at("a.md/b")),
    error(isWindows ? /it does not exist/ : /the system says ENOTDIR/),
  );
});

test("an extra path below a file is missing, and one that leads in a circle cannot be read", {
  skip: skipWithoutLinks,
}, (t) => {
  const folder = makeTemporaryFolder(t, { "ws/a.md": "", "ws/extra/b.md": "" });
  symlinkSync("loop", folder.at("ws/loop"));
  const extraPaths = ["none", "a.md/below", "loop", "extra", "..", "none.md"];
  const found = extraLocations({ workspaceDir: folder.at("ws"), extraPaths });
  assert.deepEqual(
    found.map(({ kind, reason, shown }) => [kind, reason, shown]),
    [
      ["absent", "missing", "none"],
      ["absent", "missing", "a.md/below"],
      ["absent", "unreadable", "loop"],
      ["folder", undefined, "extra/3"],
      ["folder", undefined, "extra/4"],
      ["absent", "missing", "none.md"],
    ],
  );
});

test("a cancelled listing finds nothing", async (t) => {
  const locations = ownLocations({ workspaceDir: makeTemporaryFolder(t, { "MEMORY.md": "" }).dir });
  await assert.rejects(discoverNotes({ locations, rules: null, signal: AbortSignal.abort() }), {
    code: "aborted",
  });
});

test("a note with a second name may change without its folder", {
  skip:
    skipWithoutHardLinks || (fuseKind === "folding" && "it remembers for a second how many names a file has"),
}, async (t) => {
  const folder = makeTemporaryFolder(t, { "MEMORY.md": "" });
  const locations = ownLocations({ workspaceDir: folder.dir });
  assert.equal((await discoverNotes({ locations, rules: null })).hidesChanges, false);
  linkSync(folder.at("MEMORY.md"), folder.at("twin.txt"));
  assert.equal((await discoverNotes({ locations, rules: null })).hidesChanges, true);
});
