import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { isWindows, skipWithoutLinks, skipWithoutModes } from "../../test/support/platform.ts";
import { makeFolder } from "./make-folder.ts";

const dir = mkdtempSync(join(tmpdir(), "longhand-folder-"));
after(() => rmSync(dir, { recursive: true }));

test("a folder is created with its parents, and only once", () => {
  const deep = join(dir, "a", "b", "c");
  assert.equal(makeFolder(deep), true);
  assert.ok(statSync(deep).isDirectory());
  assert.equal(makeFolder(deep), false);
});

test("all folders that are made get the mode", { skip: skipWithoutModes }, () => {
  makeFolder(join(dir, "private", "inner"), 0o700);
  for (const path of [join(dir, "private"), join(dir, "private", "inner")])
    assert.equal(statSync(path).mode & 0o777, 0o700);
});

test("a link to a folder counts as a folder", { skip: skipWithoutLinks }, () => {
  symlinkSync(dir, join(dir, "link"));
  assert.equal(makeFolder(join(dir, "link")), false);
});

test("a file in the way is an error, also in the middle of the path", () => {
  writeFileSync(join(dir, "file"), "");
  assert.throws(() => makeFolder(join(dir, "file")), { code: "EEXIST" });
  assert.throws(() => makeFolder(join(dir, "file", "below")), { code: isWindows ? "EEXIST" : "ENOTDIR" });
});

test("where no folder can be created it fails at once", {
  skip: process.platform !== "linux" && "needs /proc",
}, () => {
  assert.throws(() => makeFolder("/proc/longhand-test/a/b"), { code: "ENOENT" });
});
