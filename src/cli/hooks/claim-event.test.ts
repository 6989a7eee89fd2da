import assert from "node:assert/strict";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { makeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { type ClaimOptions, claimEvent } from "./claim-event.ts";

function openMarks(t: Parameters<typeof makeTemporaryFolder>[0]) {
  const folder = makeTemporaryFolder(t).at("hooks");
  let lastPid = 0;
  const claim = (fields: object = {}, changes: Partial<ClaimOptions> = {}) => {
    const text = JSON.stringify({ session_id: "s1", hook_event_name: "UserPromptSubmit", ...fields });
    const input = { text, sessionId: "s1", eventName: "UserPromptSubmit" };
    const pid = ++lastPid;
    return claimEvent({ folder, event: "user-prompt", input, workspaceDir: "/notes", pid, ...changes });
  };
  return { folder, claim };
}

test("of two hooks with the same input, one answers", (t) => {
  const { claim } = openMarks(t);
  assert.equal(claim({ prompt: "yes", turn_id: "1" }), true);
  assert.equal(claim({ prompt: "yes", turn_id: "1" }), false);
  assert.equal(claim({ prompt: "yes", turn_id: "2" }), true, "the same prompt in the next turn");
});

test("a hook that was cut off may answer again, and still no other hook", (t) => {
  const { claim } = openMarks(t);
  assert.equal(claim({ prompt: "yes" }, { pid: 77 }), true);
  assert.equal(claim({ prompt: "yes" }, { pid: 78 }), false);
  assert.equal(claim({ prompt: "yes" }, { pid: 77 }), true);
  assert.equal(claim({ prompt: "yes" }, { pid: 7 }), false);
});

test("another event, another memory or a long prompt with another ending is answered, too", (t) => {
  const { claim } = openMarks(t);
  const long = "a".repeat(100_000);
  assert.equal(claim({ prompt: long }), true);
  assert.equal(claim({ prompt: long }, { event: "session-start" }), true);
  assert.equal(claim({ prompt: long }, { workspaceDir: "/other" }), true);
  assert.equal(claim({ prompt: `${long.slice(1)}b` }), true);
  assert.equal(claim({ prompt: `${long}a` }), true);
});

test("a program that names no session or no event is always answered", (t) => {
  const { folder, claim } = openMarks(t);
  for (const input of [{ text: "{}" }, { text: "{}", sessionId: "s1" }, { text: "{}", eventName: "x" }]) {
    assert.equal(claim({}, { input }), true);
    assert.equal(claim({}, { input }), true);
  }
  assert.ok(!existsSync(folder));
});

test("the same input is another event some seconds later, and old marks are deleted", (t) => {
  const { folder, claim } = openMarks(t);
  const now = Date.now();
  assert.equal(claim({}, { now }), true);
  assert.equal(claim({}, { now: now + 2000 }), false);
  assert.equal(claim({}, { now: now + 60_000 }), true);
  assert.equal(claim({ prompt: "another" }, { now }), true);
  assert.equal(claim({}, { now: now + 60_000, event: "session-end" }), true);
  assert.deepEqual(readdirSync(folder).length, 1);
});

test("a clock that was set back does not suppress hooks", (t) => {
  const { claim } = openMarks(t);
  assert.equal(claim(), true);
  assert.equal(claim({}, { now: Date.now() - 3_600_000 }), true);
});

test("if marks cannot be written, every hook answers", (t) => {
  const { folder, claim } = openMarks(t);
  writeFileSync(folder, "in the way");
  assert.equal(claim(), true);
  assert.equal(claim(), true);
});
