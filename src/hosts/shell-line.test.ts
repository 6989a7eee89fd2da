import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { skipOnWindows } from "../../test/support/platform.ts";
import { cmdLine, jsonWord, powerShellLine, shellLine } from "./shell-line.ts";

const words = [
  "node",
  "C:\\Program Files\\longhand\\bin.js",
  "hook",
  "session-start",
  "--workspace",
  "D:\\my notes",
];

test("a command for Windows begins with a plain word and has no backslash in a path", () => {
  const line = `node "C:/Program Files/longhand/bin.js" hook session-start --workspace "D:/my notes"`;
  assert.equal(shellLine(words, "win32"), line);
  assert.equal(shellLine(["longhand", "hook", "user-prompt"], "win32"), "longhand hook user-prompt");
  assert.equal(shellLine(["x", "\\\\nas\\notes"], "win32"), `x "//nas/notes"`);
});

test("a quoted program is a command in PowerShell, too, and a plain word needs nothing", () => {
  const program = ["C:\\Program Files\\nodejs\\node.exe", "hook"];
  assert.equal(powerShellLine(program, "win32"), `& "C:/Program Files/nodejs/node.exe" hook`);
  assert.equal(powerShellLine(["longhand", "hook"], "win32"), "longhand hook");
  assert.equal(powerShellLine(["/opt/my node", "hook"], "linux"), "'/opt/my node' hook");
});

test("JSON among the words has no backslash but those before quotes", () => {
  const json = jsonWord({ command: "C:\\node.exe", args: ["\\\\nas\\bin.js"] }, "win32");
  assert.deepEqual(JSON.parse(json), { command: "C:/node.exe", args: ["//nas/bin.js"] });
  assert.equal(shellLine(["x", json], "win32").replaceAll('\\"', "").includes("\\"), false);
  assert.equal(jsonWord("a\\b", "linux"), '"a\\\\b"');
});

test("a bash, such as Git Bash, takes the command apart as it was meant", {
  skip: skipOnWindows("needs bash"),
}, () => {
  const line = shellLine(["printf", "%s\\n", ...words.slice(1)], "win32").replace('"%s\\n"', "'%s\\n'");
  const { stdout } = spawnSync("bash", ["-c", line], { encoding: "utf8" });
  assert.deepEqual(
    stdout.trimEnd().split("\n"),
    words.slice(1).map((word) => word.replaceAll("\\", "/")),
  );
});

test("cmd is given quotes around all that is not plain", () => {
  assert.equal(cmdLine(["C:\\a b\\node.exe", "x", 'say "hi"']), `"C:\\a b\\node.exe" x "say ""hi"""`);
});

test("cmd takes the command apart as it was meant", {
  skip: process.platform !== "win32" && "needs cmd",
}, () => {
  const line = cmdLine([process.execPath, "-p", "JSON.stringify(process.argv.slice(1))", "a b", "c&d", "e"]);
  const { stdout } = spawnSync(line, { encoding: "utf8", shell: true });
  assert.deepEqual(JSON.parse(stdout), ["a b", "c&d", "e"]);
});
