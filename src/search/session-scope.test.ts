import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isSharedSession } from "./session-scope.ts";

test("The owner sees everything: alone, in the main session, in a direct one", () => {
  for (const key of [
    undefined,
    "agent:main:main",
    "agent:work:direct:ada",
    "agent:main:telegram:direct:42",
  ]) {
    assert.equal(isSharedSession(key), false, key ?? "no key");
  }
});

test("Groups, channels and every kind that is not known count as shared", () => {
  for (const key of [
    "agent:main:telegram:group:42",
    "agent:main:slack:channel:general",
    "agent:main:direct:group",
    "agent:main:direct:ada:channel:x",
    "agent:main:cron:nightly",
    "agent:main:mains",
    "agent:main:direct",
    "agent:main",
    "agent::main",
    "agent:main:main:extra",
    "Agent:main:main",
    "main",
    "",
    ":",
    "agent:main:Group:42",
    "agent:main:slack:Group:direct:42",
    "agent:main:slack:CHANNEL:direct:x",
    "agent:main:direct:",
  ]) {
    assert.equal(isSharedSession(key), true, key);
  }
});

test("No key with a group or channel part is ever private", () => {
  const part = fc.constantFrom("agent", "main", "direct", "telegram", "", "x");
  fc.assert(
    fc.property(
      fc.array(part),
      fc.constantFrom("group", "channel"),
      fc.array(part),
      (before, kind, after) => {
        assert.equal(isSharedSession(["agent", "x", ...before, kind, ...after].join(":")), true);
      },
    ),
    { seed: 81 },
  );
});
