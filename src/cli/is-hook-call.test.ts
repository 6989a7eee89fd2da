import assert from "node:assert/strict";
import { test } from "node:test";
import { isHookCall } from "./is-hook-call.ts";

test("a hook is recognised with any options before and after it", () => {
  const hooks = [
    "hook",
    "hook user-prompt --bogus",
    "--workspace X hook user-prompt --bogus",
    "--workspace=X --json hook",
    "--bogus hook user-prompt",
    "--bogus value hook user-prompt",
    "--workspace hook user-prompt",
    "--debug --state-dir /a/b --agent main hook session-start extra words",
  ];
  for (const line of hooks) assert.ok(isHookCall(line.split(" ")), line);
});

test("other commands keep their exit codes", () => {
  const others = [
    "",
    "search hook",
    "add --to daily hook",
    "--workspace X search hook",
    "--json add hook",
    "-- hook",
  ];
  for (const line of others) assert.ok(!isHookCall(line.split(" ")), line);
});
