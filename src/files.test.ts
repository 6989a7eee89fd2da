import assert from "node:assert/strict";
import { closeSync, openSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { isWindows, skipWithoutLinks, skipWithoutModes } from "../test/support/platform.ts";
import { makeTemporaryFolder } from "../test/support/temporary-folder.ts";
import {
  isHeld,
  makeFolder,
  renameFile,
  renameFileSync,
  replaceFileSync,
  retryWhileHeld,
  syncOpenFolder,
} from "./files.ts";

function failure(code: string): Error {
  return Object.assign(new Error(code), { code });
}

test("a file that another program has open is retried until it is released, but not forever", () => {
  for (const heldFor of [0, 1, 5, 8]) {
    const pauses: number[] = [];
    let calls = 0;
    const call = () => {
      if (calls++ < heldFor) throw failure("EBUSY");
      return "renamed";
    };
    const result = retryWhileHeld(call, {
      isHeldBy: (error) => isHeld(error, "win32"),
      pause: (ms) => void pauses.push(ms),
    });
    assert.equal(result, "renamed");
    assert.equal(pauses.length, heldFor);
    assert.ok(pauses.reduce((sum, ms) => sum + ms, 0) < 300, "an event loop waits for it");
  }
  const always = () => {
    throw failure("EPERM");
  };
  assert.throws(() => retryWhileHeld(always, { isHeldBy: () => true, pause: () => {} }), { code: "EPERM" });
});

test("only failures of Windows due to open files are retried", () => {
  for (const code of ["EPERM", "EACCES", "EBUSY"]) {
    assert.equal(isHeld(failure(code), "win32"), true);
    assert.equal(isHeld(failure(code), "linux"), false);
    assert.equal(isHeld(failure(code), "darwin"), false);
  }
  for (const code of ["ENOENT", "EXDEV", "ENOSPC"]) assert.equal(isHeld(failure(code), "win32"), false);
  let calls = 0;
  const missing = () => {
    calls++;
    throw failure("ENOENT");
  };
  assert.throws(() => retryWhileHeld(missing), { code: "ENOENT" });
  assert.equal(calls, 1);
});

test("it is no failure if a file system cannot sync folders, but any other error is", () => {
  const refuse = (code: string) => () => {
    throw failure(code);
  };
  for (const code of ["EINVAL", "ENOTSUP", "ENOSYS"]) syncOpenFolder(0, refuse(code));
  assert.throws(() => syncOpenFolder(0, refuse("EIO")), { code: "EIO" });
});

test("a file replaces another, even one that a reader closes a moment later", async (t) => {
  const folder = makeTemporaryFolder(t, { one: "1", two: "2", three: "3" });
  renameFileSync(folder.at("one"), folder.at("two"));
  assert.equal(readFileSync(folder.at("two"), "utf8"), "1");
  const reader = openSync(folder.at("two"), "r");
  setTimeout(() => closeSync(reader), 20);
  await renameFile(folder.at("three"), folder.at("two"));
  assert.equal(readFileSync(folder.at("two"), "utf8"), "3");
  await assert.rejects(renameFile(folder.at("none"), folder.at("two")), { code: "ENOENT" });
});

test("a folder is created with its parents, and only once", (t) => {
  const { dir } = makeTemporaryFolder(t);
  const deep = join(dir, "a", "b", "c");
  assert.equal(makeFolder(deep), true);
  assert.ok(statSync(deep).isDirectory());
  assert.equal(makeFolder(deep), false);
});

test("all folders that are made get the mode", { skip: skipWithoutModes }, (t) => {
  const { dir } = makeTemporaryFolder(t);
  makeFolder(join(dir, "private", "inner"), 0o700);
  for (const path of [join(dir, "private"), join(dir, "private", "inner")])
    assert.equal(statSync(path).mode & 0o777, 0o700);
});

test("a link to a folder counts as a folder", { skip: skipWithoutLinks }, (t) => {
  const { dir } = makeTemporaryFolder(t);
  symlinkSync(dir, join(dir, "link"));
  assert.equal(makeFolder(join(dir, "link")), false);
});

test("a file in the way is an error, also in the middle of the path", (t) => {
  const { dir } = makeTemporaryFolder(t);
  writeFileSync(join(dir, "file"), "");
  assert.throws(() => makeFolder(join(dir, "file")), { code: "EEXIST" });
  assert.throws(() => makeFolder(join(dir, "file", "below")), { code: isWindows ? "EEXIST" : "ENOTDIR" });
});

test("where no folder can be created it fails at once", {
  skip: process.platform !== "linux" && "needs /proc",
}, () => {
  assert.throws(() => makeFolder("/proc/longhand-test/a/b"), { code: "ENOENT" });
  assert.throws(() => replaceFileSync("/proc/longhand-test/a/b", ""), { code: "ENOENT" });
});
