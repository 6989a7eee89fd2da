import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { isWindows } from "../../test/support/platform.ts";
import { expandPath, homeOf } from "./expand-path.ts";

/** With the drive that Windows adds. */
const at = (name: string) => path.resolve(name);

const context = { home: at("/home/ann"), baseDir: at("/etc/app"), stateDir: at("/state"), agentId: "work" };

test("a path becomes absolute, from home, state folder or the folder it is written in", () => {
  assert.equal(expandPath("~", context), at("/home/ann"));
  assert.equal(expandPath("~/notes/", context), at("/home/ann/notes"));
  assert.equal(expandPath("<state>/memory/{agentId}.sqlite", context), at("/state/memory/work.sqlite"));
  assert.equal(expandPath("../notes", context), at("/etc/notes"));
  assert.equal(expandPath("/a/./b//c", context), at("/a/b/c"));
});

test("a placeholder counts only as a whole part at the start", () => {
  assert.equal(expandPath("~ann/x", context), at("/etc/app/~ann/x"));
  assert.equal(expandPath("a/~/b", context), at("/etc/app/a/~/b"));
  assert.equal(expandPath("<state>x", context), at("/etc/app/<state>x"));
});

test("the names of the state folder and the home folder are not expanded", () => {
  const odd = { ...context, stateDir: at("/s/{agentId}"), home: at("/h/{agentId}") };
  assert.equal(expandPath("<state>/{agentId}.db", odd), at("/s/{agentId}/work.db"));
  assert.equal(expandPath("~/x", odd), at("/h/{agentId}/x"));
  assert.equal(expandPath("<state>/x", { ...context, stateDir: at("/~/s") }), at("/~/s/x"));
});

test("home follows the environment", () => {
  const name = process.platform === "win32" ? "USERPROFILE" : "HOME";
  assert.equal(homeOf({ [name]: "/home/ann/" }), at("/home/ann"));
  assert.notEqual(homeOf({}), "");
});

test("an empty variable is not the current folder", () => {
  const name = process.platform === "win32" ? "USERPROFILE" : "HOME";
  const before = process.env[name];
  process.env[name] = "";
  try {
    assert.notEqual(homeOf(), process.cwd());
  } finally {
    if (before === undefined) delete process.env[name];
    else process.env[name] = before;
  }
});

test("Windows: both separators, drives and shares", { skip: !isWindows && "needs Windows" }, () => {
  assert.equal(expandPath("~\\notes", context), at("/home/ann/notes"));
  assert.equal(expandPath("<state>\\x", context), at("/state/x"));
  assert.equal(expandPath("d:/notes/", context), "d:\\notes");
  assert.equal(expandPath("\\\\nas\\share\\notes", context), "\\\\nas\\share\\notes");
});
