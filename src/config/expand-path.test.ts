import assert from "node:assert/strict";
import { test } from "node:test";
import { expandPath, homeOf } from "./expand-path.ts";

const context = { home: "/home/ann", baseDir: "/etc/app", stateDir: "/state", agentId: "work" };

test("a path becomes absolute, from home, state folder or the folder it is written in", () => {
  assert.equal(expandPath("~", context), "/home/ann");
  assert.equal(expandPath("~/notes/", context), "/home/ann/notes");
  assert.equal(expandPath("<state>/memory/{agentId}.sqlite", context), "/state/memory/work.sqlite");
  assert.equal(expandPath("../notes", context), "/etc/notes");
  assert.equal(expandPath("/a/./b//c", context), "/a/b/c");
});

test("a placeholder counts only as a whole part at the start", () => {
  assert.equal(expandPath("~ann/x", context), "/etc/app/~ann/x");
  assert.equal(expandPath("a/~/b", context), "/etc/app/a/~/b");
  assert.equal(expandPath("<state>x", context), "/etc/app/<state>x");
});

test("a state folder that begins with a tilde is not expanded twice", () => {
  assert.equal(expandPath("<state>/x", { ...context, stateDir: "/~/s" }), "/~/s/x");
});

test("home follows the environment", () => {
  const name = process.platform === "win32" ? "USERPROFILE" : "HOME";
  assert.equal(homeOf({ [name]: "/home/ann/" }), "/home/ann");
  assert.notEqual(homeOf({}), "");
});
