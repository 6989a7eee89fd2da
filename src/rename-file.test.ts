import assert from "node:assert/strict";
import { closeSync, openSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { makeTemporaryFolder } from "../test/support/temporary-folder.ts";
import { isHeld, renameFile, renameFileSync, retryWhileHeld, syncOpenFolder } from "./rename-file.ts";

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
