import assert from "node:assert/strict";
import { test } from "node:test";
import { pathArgument } from "./path-argument.ts";

test("on Windows a path survives a backslash before the closing quote", () => {
  assert.equal(pathArgument('C:\\My Notes"', "win32"), "C:\\My Notes");
  assert.equal(pathArgument('.\\My Notes" ', "win32"), ".\\My Notes");
  assert.equal(pathArgument("C:\\My Notes", "win32"), "C:\\My Notes");
  assert.equal(pathArgument('C:\\My Notes" --json', "win32"), null, "it took an option with it");
  assert.equal(pathArgument('/tmp/a"', "linux"), '/tmp/a"');
});
